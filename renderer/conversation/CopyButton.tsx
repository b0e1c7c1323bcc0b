import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import { IconButton } from "../ui/IconButton";

const saidMs = 1_500;

export interface CopyButtonProps {
  /** "Copy code": what will be copied is in the name. */
  label: string;
  text: () => string;
  size?: "xs" | "s";
  className?: string;
}

/** Copies, and says so where it was pressed. */
export function CopyButton({ label, text, size = "s", className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await attempt(call("shell.copy", { text: text() }))) setCopied(true);
  };
  return (
    <IconButton
      label={copied ? "Copied" : label}
      size={size}
      icon={copied ? <Check size={13} className="text-ok" /> : <Copy size={13} />}
      onClick={() => void copy()}
      className={className}
    />
  );
}
