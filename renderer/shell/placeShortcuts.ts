// Keys that belong to one place and mean nothing elsewhere: only for the sheet, each is handled where it belongs.

import { onMac } from "../ui/keys";

export const placeShortcuts: { title: string; rows: { words: string; keys: string[] }[] }[] = [
  {
    title: "At a request, in its card or the conversation",
    rows: [
      { words: "Approve", keys: ["a"] },
      { words: "Approve for this session", keys: ["s"] },
      { words: "Always allow such commands", keys: ["c"] },
      { words: "Decline, or stop the turn", keys: ["d"] },
    ],
  },
  {
    title: "In the list of threads",
    rows: [
      { words: "Move", keys: ["arrowup", "arrowdown"] },
      { words: "Open or close a workspace", keys: ["arrowright", "arrowleft"] },
      { words: "Show the thread", keys: ["enter"] },
      { words: "Rename", keys: ["f2"] },
      { words: "Archive", keys: ["delete"] },
      { words: "Menu", keys: ["shift+f10"] },
    ],
  },
  {
    title: "In the tree of agents",
    rows: [
      { words: "Move", keys: ["arrowup", "arrowdown"] },
      { words: "To its agents, or to the one above", keys: ["arrowright", "arrowleft"] },
      { words: "Show the agent's conversation", keys: ["enter"] },
    ],
  },
  {
    title: "In the list of follow-ups",
    rows: [
      { words: "Go to another one", keys: ["arrowup", "arrowdown"] },
      { words: "Move it", keys: ["alt+arrowup", "alt+arrowdown"] },
      { words: "Edit", keys: ["enter", "f2"] },
      { words: "Delete", keys: ["delete"] },
      { words: "Bring back what was deleted", keys: ["mod+z"] },
      { words: "Menu", keys: ["shift+f10"] },
    ],
  },
  {
    title: "On the page of cells",
    rows: [
      { words: "Stop the run", keys: ["mod+."] },
      { words: "Offer what could come next", keys: ["mod+ "] },
      { words: "Find in the script", keys: ["mod+f"] },
      { words: "Leave the text: one after the other", keys: ["escape", "tab"] },
      { words: "In the list: rename, delete, menu", keys: ["f2", "delete", "shift+f10"] },
    ],
  },
  {
    title: "On the page of environments",
    rows: [
      { words: "In the list: show, remove, menu", keys: ["enter", "delete", "shift+f10"] },
      { words: "In files: open", keys: ["enter", "arrowright"] },
      { words: "In files: to the folder above", keys: ["backspace", "arrowleft"] },
    ],
  },
  {
    title: "In a terminal",
    rows: [
      ...(onMac
        ? []
        : [
            { words: "Copy what is selected", keys: ["mod+shift+c"] },
            { words: "Paste", keys: ["mod+shift+v"] },
          ]),
      { words: "Leave it: to its tab, to the next pane", keys: ["shift+escape", "f6"] },
      { words: "Open a link", keys: ["mod+click"] },
      { words: "On its tab: rename, close", keys: ["f2", "delete"] },
    ],
  },
  {
    title: "At a splitter",
    rows: [
      { words: "Move", keys: ["arrowleft", "arrowright"] },
      { words: "Usual width", keys: ["enter"] },
    ],
  },
];
