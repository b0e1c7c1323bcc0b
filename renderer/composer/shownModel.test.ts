import { expect, it } from "vitest";
import type { Model } from "./models";
import { shownModel } from "./shownModel";

const effort = (id: string) => ({ id, description: "" });
const model = (id: string, more: Partial<Model> = {}): Model => ({
  id,
  name: id.toUpperCase(),
  description: "",
  efforts: [effort("low"), effort("high")],
  defaultEffort: "low",
  isDefault: false,
  acceptsImages: false,
  ...more,
});
const models = [model("gpt-a", { isDefault: true }), model("gpt-b"), model("gpt-c", { efforts: [] })];
const none = { model: null, effort: null };

it("a model goes by the name that codex gives it, and its id is beside it", () => {
  const words = (chosen: { model: string | null; effort: string | null }, fromConfig = none) => {
    const { words, id } = shownModel(models, chosen, fromConfig);
    return [words, id];
  };
  expect(words({ model: "gpt-b", effort: "high" })).toEqual(["GPT-B · high", "gpt-b"]);
  expect(words({ model: "gpt-b", effort: null })).toEqual(["GPT-B · low", "gpt-b"]);
  expect(words({ model: "gpt-c", effort: "high" }), "no choice of effort").toEqual(["GPT-C", "gpt-c"]);
  expect(words(none)).toEqual(["GPT-A · low", "gpt-a"]);
  expect(words(none, { model: "gpt-b", effort: "high" } as never)).toEqual(["GPT-B · high", "gpt-b"]);
});

it("one that codex does not list goes by its id", () => {
  expect(shownModel([], { model: "own", effort: "high" }, none)).toMatchObject({
    words: "own · high",
    id: null,
  });
  expect(shownModel([], none, none).words).toBe("default model");
  expect(shownModel([model("own", { name: "own" })], { model: "own", effort: null }, none).id).toBeNull();
});
