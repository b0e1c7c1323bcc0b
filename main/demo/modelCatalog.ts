// How codex is told about a model that it does not know: with an entry in a catalogue it offers its plan and patch tools to
// the model, shows a name for it, and does not warn in every turn. Field names as codex 0.171.0 reads them.

export interface CatalogModel {
  slug: string;
  displayName: string;
  description: string;
  instructions: string;
}

/** The content of the file that `model_catalog_json` names. */
export function modelCatalog(models: readonly CatalogModel[]): string {
  const entries = models.map((model, index) => ({
    slug: model.slug,
    display_name: model.displayName,
    description: model.description,
    default_reasoning_level: "none",
    supported_reasoning_levels: [],
    shell_type: "shell_command",
    visibility: "list",
    supported_in_api: true,
    priority: index + 1,
    base_instructions: model.instructions,
    apply_patch_tool_type: "freeform",
    supports_reasoning_summaries: true,
    support_verbosity: false,
    truncation_policy: { mode: "tokens", limit: 10_000 },
    supports_parallel_tool_calls: false,
    context_window: 200_000,
    experimental_supported_tools: [],
    input_modalities: ["text", "image"],
  }));
  return `${JSON.stringify({ models: entries }, null, 2)}\n`;
}
