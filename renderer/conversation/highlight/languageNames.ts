// Which language a fence or a file is in. Apart from the grammars, so that the window can ask without loading any.

const byAlias: Record<string, string> = {
  bash: "shellscript",
  sh: "shellscript",
  shell: "shellscript",
  zsh: "shellscript",
  console: "shellscript",
  shellsession: "shellscript",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  node: "javascript",
  py: "python",
  python3: "python",
  pyi: "python",
  rb: "ruby",
  rs: "rust",
  golang: "go",
  yml: "yaml",
  md: "markdown",
  htm: "html",
  svg: "xml",
  plist: "xml",
  "c++": "cpp",
  cc: "cpp",
  cxx: "cpp",
  hpp: "cpp",
  hh: "cpp",
  h: "c",
  cs: "csharp",
  "c#": "csharp",
  fs: "fsharp",
  "f#": "fsharp",
  kt: "kotlin",
  kts: "kotlin",
  dockerfile: "docker",
  makefile: "make",
  mk: "make",
  ps1: "powershell",
  pwsh: "powershell",
  cmd: "bat",
  patch: "diff",
  ex: "elixir",
  exs: "elixir",
  erl: "erlang",
  hs: "haskell",
  jl: "julia",
  ml: "ocaml",
  mli: "ocaml",
  pl: "perl",
  pm: "perl",
  tex: "latex",
  tf: "terraform",
  tfvars: "terraform",
  hbs: "handlebars",
  gql: "graphql",
  clj: "clojure",
  cljs: "clojure",
  edn: "clojure",
  m: "objective-c",
  mm: "objective-c",
  objc: "objective-c",
  protobuf: "proto",
  vim: "viml",
  wat: "wasm",
  sol: "solidity",
  json5: "jsonc",
  ndjson: "jsonl",
  cfg: "ini",
  conf: "ini",
  properties: "ini",
  editorconfig: "ini",
  env: "dotenv",
  gradle: "groovy",
  jenkinsfile: "groovy",
  sbt: "scala",
  lock: "yaml",
};

const byFileName: Record<string, string> = {
  dockerfile: "docker",
  containerfile: "docker",
  makefile: "make",
  gnumakefile: "make",
  "cmakelists.txt": "cmake",
  jenkinsfile: "groovy",
  gemfile: "ruby",
  rakefile: "ruby",
  "package-lock.json": "json",
  "cargo.lock": "toml",
  "poetry.lock": "toml",
  "tsconfig.json": "jsonc",
  "nginx.conf": "nginx",
  ".env": "dotenv",
  ".bashrc": "shellscript",
  ".zshrc": "shellscript",
  ".gitconfig": "ini",
  ".gitmodules": "ini",
  ".npmrc": "ini",
  ".eslintrc": "jsonc",
  ".prettierrc": "yaml",
  ".profile": "shellscript",
};

/** The name of a language as its grammar has it; null for a fence without a language, or with plain text. */
export function languageOfFence(info: string): string | null {
  const name =
    info
      .trim()
      .split(/[\s{,:]/)[0]
      ?.toLowerCase() ?? "";
  if (name === "" || name === "text" || name === "txt" || name === "plain" || name === "plaintext")
    return null;
  return byAlias[name] ?? name;
}

/** The language of a file by its name; null when it has none that says one. */
export function languageOfPath(path: string): string | null {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? "";
  const known = byFileName[name];
  if (known) return known;
  if (name.startsWith("dockerfile.")) return "docker";
  const dot = name.lastIndexOf(".");
  if (dot < 0 || dot === name.length - 1) return null;
  return languageOfFence(name.slice(dot + 1));
}
