// What is said about a name, in the list of completions and under the pointer.

import type { ScriptName } from "../../../preload/contract/cells";

export interface Described {
  code: string;
  text: string;
}

export function describeName({ name, signature, description }: ScriptName): Described {
  // A signature that says its name itself is not given it twice.
  const short = name.slice(name.lastIndexOf(".") + 1);
  const code = signature.startsWith(short) ? signature : `${short}${signature}`;
  return { code, text: description };
}

export function describeField(field: {
  name: string;
  type: string;
  optional?: boolean;
  description: string;
}): Described {
  return { code: `${field.name}${field.optional ? "?" : ""}: ${field.type}`, text: field.description };
}

export function drawDescribed({ code, text }: Described): HTMLElement {
  const box = document.createElement("div");
  box.className = "script-doc";
  const line = document.createElement("code");
  line.textContent = code;
  box.append(line);
  if (text !== "") {
    const words = document.createElement("p");
    words.textContent = text;
    box.append(words);
  }
  return box;
}
