// The scripts that come with Holdfast. Each is a file of its own, as a person would write it; its first comment is what the
// list says of it.

import fileByFile from "./shipped/fileByFile.script.js?raw";
import reviewBranch from "./shipped/reviewBranch.script.js?raw";
import tryTwice from "./shipped/tryTwice.script.js?raw";

/** The ids never change: runs are kept with them. */
export const shippedScripts: readonly { scriptId: string; name: string; source: string }[] = [
  { scriptId: "shipped:review-a-branch", name: "Review a branch", source: reviewBranch },
  { scriptId: "shipped:try-it-twice", name: "Try it twice", source: tryTwice },
  { scriptId: "shipped:file-by-file", name: "File by file", source: fileByFile },
];
