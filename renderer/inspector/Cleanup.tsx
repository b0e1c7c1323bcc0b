import { Leaf } from "lucide-react";
import { EmptyState } from "../ui/EmptyState";

export function Cleanup() {
  return (
    <EmptyState compact icon={<Leaf aria-hidden size={20} />} title="Nothing is waiting to be cleaned up">
      A process that does not end, or a folder that cannot be removed yet, will show here until it is gone.
    </EmptyState>
  );
}
