// Keys that belong to one place and mean nothing elsewhere: only for the sheet, each is handled where it belongs.

export const placeShortcuts: { title: string; rows: { words: string; keys: string[] }[] }[] = [
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
    title: "At a splitter",
    rows: [
      { words: "Move", keys: ["arrowleft", "arrowright"] },
      { words: "Usual width", keys: ["enter"] },
    ],
  },
];
