import { CommandRegistry, type CommandRegistryOptions } from "./commandRegistry";
import { FileRegistry } from "./fileRegistry";
import { FixedRegistry } from "./fixedRegistry";
import type { Registry, RegistryConfig } from "./registry";

export function makeRegistry(config: RegistryConfig, options: CommandRegistryOptions): Registry {
  switch (config.kind) {
    case "fixed":
      return new FixedRegistry(config);
    case "file":
      return new FileRegistry(config.path, options.clock);
    case "command":
      return new CommandRegistry(config, options);
    default:
      return config satisfies never;
  }
}
