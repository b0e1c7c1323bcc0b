// Asks before something that cannot be taken back, from anywhere: `await askFirst({...})`. One question at a time; a
// second one answers the first with no.

import { create } from "zustand";

export interface ConfirmQuestion {
  title: string;
  text: string;
  confirmLabel: string;
  tone: "default" | "danger";
}

interface Open extends ConfirmQuestion {
  answer(yes: boolean): void;
}

export const confirmStore = create<{ open: Open | null }>(() => ({ open: null }));

export function askFirst(question: ConfirmQuestion): Promise<boolean> {
  confirmStore.getState().open?.answer(false);
  return new Promise((resolve) => {
    const open: Open = {
      ...question,
      answer(yes) {
        if (confirmStore.getState().open === open) confirmStore.setState({ open: null });
        resolve(yes);
      },
    };
    confirmStore.setState({ open });
  });
}
