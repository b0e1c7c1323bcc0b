// Keys that belong to one place and mean nothing elsewhere: only for the sheet, each is handled where it belongs.

import { onMac } from "../ui/keys";

export const placeShortcuts: { title: string; rows: { words: string; keys: string[] }[] }[] = [
  {
    title: "At a request, in its card or the conversation",
    rows: [
      { words: "To it, from anywhere", keys: ["mod+j"] },
      { words: "Approve", keys: ["a"] },
      { words: "Approve for this session", keys: ["s"] },
      { words: "Always allow such commands", keys: ["c"] },
      { words: "Decline", keys: ["d"] },
      { words: "Stop the turn", keys: ["t"] },
    ],
  },
  {
    title: "In the message field",
    rows: [
      { words: "Send; while a turn runs: queue", keys: ["enter"] },
      { words: "Send, where Enter is a new line", keys: ["mod+enter"] },
      { words: "Steer the turn that runs", keys: ["mod+shift+enter"] },
      { words: "A new line", keys: ["shift+enter"] },
      { words: "What was sent before", keys: ["arrowup", "arrowdown"] },
      { words: "To the conversation; twice in the empty field: stop the turn that runs", keys: ["escape"] },
    ],
  },
  {
    title: "In a list that opens while one types: files, commands, the palette",
    rows: [
      { words: "Move", keys: ["arrowup", "arrowdown"] },
      { words: "Choose", keys: ["enter"] },
      { words: "Close it", keys: ["escape"] },
    ],
  },
  {
    title: "While finding in the conversation",
    rows: [
      { words: "Next match", keys: ["enter"] },
      { words: "Previous match", keys: ["shift+enter"] },
      { words: "Close, and stay at the place", keys: ["escape"] },
    ],
  },
  {
    title: "On the page of all threads",
    rows: [
      { words: "From the field to the list", keys: ["arrowdown"] },
      { words: "In the list: a row, a page", keys: ["arrowup", "pageup", "pagedown"] },
      { words: "The first and the last", keys: ["home", "end"] },
      { words: "Fold or unfold a folder", keys: ["arrowright", "arrowleft"] },
      { words: "Show the thread", keys: ["enter"] },
      { words: "Back to the field, and empty it", keys: ["escape"] },
    ],
  },
  {
    title: "On the page of changes",
    rows: [
      { words: "Next or previous change, or file in the list", keys: ["j", "k"] },
      { words: "Next or previous file", keys: ["]", "["] },
      { words: "Choose lines", keys: ["shift+arrowdown"] },
      { words: "Show more of what is around the change", keys: ["e"] },
      { words: "Comment on the line, or the lines", keys: ["c"] },
      { words: "Stage or unstage the hunk, the lines or the files", keys: ["s", "u"] },
      { words: "Stage or unstage, in the list", keys: [" "] },
      { words: "Discard", keys: ["x"] },
      { words: "From the list to the difference", keys: ["enter"] },
      { words: "Open the file in my editor, at the line", keys: ["o"] },
      { words: "Commit, in the message", keys: ["mod+enter"] },
    ],
  },
  {
    title: "In a file",
    rows: [
      { words: "Open it in my editor", keys: ["mod+alt+o"] },
      { words: "Go to a line", keys: ["mod+g"] },
      { words: "Close it", keys: ["escape"] },
    ],
  },
  {
    title: "In the conversation and other text",
    rows: [
      { words: "A screen up or down", keys: ["pageup", "pagedown", " "] },
      { words: "To the beginning, to the end", keys: ["home", "end"] },
      { words: "To the next link, button or output", keys: ["tab"] },
      { words: "At a file's name: open it in my editor", keys: ["mod+click", "mod+enter"] },
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
      { words: "Delete for good", keys: ["shift+delete"] },
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
      { words: "In the list: rename", keys: ["f2"] },
      { words: "In the list: delete", keys: ["delete"] },
      { words: "In the list: menu", keys: ["shift+f10"] },
    ],
  },
  {
    title: "In the list of environments",
    rows: [
      { words: "Show it", keys: ["enter"] },
      { words: "Remove it", keys: ["delete"] },
      { words: "Menu", keys: ["shift+f10"] },
    ],
  },
  {
    title: "In the files of an environment",
    rows: [
      { words: "Open it", keys: ["enter", "arrowright"] },
      { words: "To the folder above", keys: ["backspace", "arrowleft"] },
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
      { words: "Find in it", keys: ["mod+shift+f"] },
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
