// Requests of MCP servers (`mcpServer/elicitation/request`): forms, links, and codex's own question whether a tool of a
// server may be called, which it sends in the shape of an empty form.

import type { JsonValue } from "../../codex/protocol/serde_json/JsonValue";
import {
  isRecord,
  type LooseRecord,
  prettyJson,
  recordOf,
  recordsOf,
  stringOf,
  stringsOf,
  wordsOrNull,
} from "../loose";
import { type Offer, offer } from "./decision";
import { formContent, formQuestions } from "./form";
import type { QuestionForm } from "./questions";

export type Elicitation =
  | ({ kind: "questions" } & QuestionForm)
  | { kind: "link"; server: string; message: string; url: string; offers: Offer[] };

export function elicitation(params: LooseRecord): Elicitation {
  const server = wordsOrNull(params.serverName) ?? "An MCP server";
  const message = stringOf(params.message);
  switch (params.mode) {
    case "url":
      return linkElicitation(server, message, stringOf(params.url));
    case "form":
    case "openai/form":
    case "openaiForm": {
      const meta = recordOf(params._meta);
      if (meta.codex_approval_kind === "mcp_tool_call") return toolApproval(server, message, meta);
      return formElicitation(server, message, params.requestedSchema);
    }
    case "openai/userVerification":
      return notShown(server, stringOf(params.title), "It asks for a verification that Holdfast cannot do.");
    default:
      return notShown(server, message, "This version of Holdfast does not know this kind of request.");
  }
}

function formElicitation(server: string, message: string, schema: unknown): Elicitation {
  const form = formQuestions(schema);
  if (form === null) {
    return notShown(
      server,
      message,
      "Its form is of a kind that Holdfast cannot show, so it can only be declined.",
    );
  }
  const title = message.trim() === "" ? `${server} asks for your input` : `${server}: ${message}`;
  const accept: Offer = {
    decision: {
      id: "accept",
      label: form.length === 0 ? "Accept" : "Send",
      explanation: `Sends ${form.length === 0 ? "your consent" : "what you filled in"} to ${server}.`,
      scope: null,
      tone: "accept",
    },
    answer: (answers) => formContent(form, answers),
  };
  return {
    kind: "questions",
    title,
    questions: form.map(({ question }) => question),
    offers: [accept, ...refusals(server)],
  };
}

function linkElicitation(server: string, message: string, url: string): Elicitation {
  const scheme = /^(https?):\/\/[^/?#\s]/i.exec(url);
  if (scheme === null) {
    return notShown(server, message, "Its link is not a web address, so it is not opened.");
  }
  return {
    kind: "link",
    server,
    message,
    url,
    offers: [
      offer(
        {
          id: "accept",
          label: "Continue",
          explanation: `Tells ${server} that you agree to open this link.`,
          scope: url,
          tone: "accept",
        },
        { action: "accept", content: null, _meta: null },
      ),
      ...refusals(server),
    ],
  };
}

/** codex asks whether a tool may be called; it accepts how long a yes is to last in `_meta.persist`. */
function toolApproval(server: string, message: string, meta: LooseRecord): Elicitation {
  const tool = wordsOrNull(meta.tool_name);
  const lasting = Array.isArray(meta.persist) ? stringsOf(meta.persist) : [stringOf(meta.persist)];
  const scope = tool === null ? server : `${tool} of ${server}`;
  const offers: Offer[] = [
    offer(
      {
        id: "accept",
        label: "Approve",
        explanation: "Calls the tool, this one time.",
        scope: null,
        tone: "accept",
      },
      acceptTool(null),
    ),
  ];
  if (lasting.includes("session")) {
    offers.push(
      offer(
        {
          id: "acceptForSession",
          label: "Approve for this session",
          explanation:
            "Calls it, and lets this tool be called in this session without asking, whatever its arguments.",
          scope,
          tone: "accept",
        },
        acceptTool("session"),
      ),
    );
  }
  if (lasting.includes("always")) {
    offers.push(
      offer(
        {
          id: "acceptAlways",
          label: "Always allow this tool",
          explanation:
            "Calls it, and from now on lets this tool be called without asking, whatever its arguments, in all threads. " +
            "codex writes this into its config.toml (approval_mode of the tool); remove it there to undo this.",
          scope,
          tone: "neutral",
        },
        acceptTool("always"),
      ),
    );
  }
  const title = message || `May ${server} run its tool ${tool ?? ""}?`;
  return {
    kind: "questions",
    title: [title, ...toolArguments(meta)].join("\n"),
    questions: [],
    offers: [...offers, ...refusals(server, "The tool is not called. The agent is told and goes on.")],
  };
}

function acceptTool(persist: string | null): JsonValue {
  return { action: "accept", content: null, _meta: persist === null ? null : { persist } };
}

/** How much of one argument is shown. */
const argumentUnits = 2_000;

function toolArguments(meta: LooseRecord): string[] {
  const display = recordsOf(meta.tool_params_display);
  const named: [string, unknown][] =
    display.length > 0
      ? display.map((entry) => [wordsOrNull(entry.display_name) ?? stringOf(entry.name), entry.value])
      : isRecord(meta.tool_params)
        ? Object.entries(meta.tool_params)
        : [];
  return named.map(([name, value]) => {
    const text = typeof value === "string" ? value : prettyJson(value, argumentUnits);
    return `${name}: ${text.length <= argumentUnits ? text : `${text.slice(0, argumentUnits)}…`}`;
  });
}

function notShown(server: string, message: string, why: string): Elicitation {
  return {
    kind: "questions",
    title: [message.trim() === "" ? `${server} asks for something.` : `${server}: ${message}`, why].join(
      "\n",
    ),
    questions: [],
    offers: refusals(server),
  };
}

function refusals(server: string, declined = `Tells ${server} that you said no.`): Offer[] {
  return [
    offer(
      { id: "decline", label: "Decline", explanation: declined, scope: null, tone: "decline" },
      { action: "decline", content: null, _meta: null },
    ),
    offer(
      {
        id: "cancel",
        label: "Cancel",
        explanation: "Closes the request without an answer.",
        scope: null,
        tone: "decline",
      },
      { action: "cancel", content: null, _meta: null },
    ),
  ];
}
