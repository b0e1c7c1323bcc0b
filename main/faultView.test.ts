import { expect, it } from "vitest";
import { Fault } from "./fault";
import { toFaultView } from "./faultView";

const detailOf = (detail: string) => toFaultView(new Fault("failed", "It failed.", { detail })).detail ?? "";

it("a long detail keeps its beginning and its end, and stays bounded", () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at}`);
  const detail = detailOf([...lines, "error: why"].join("\n"));
  expect(detail.length).toBeLessThan(16_100);
  expect(detail).toMatch(
    /^line 0\nline 1\n.*\n\[[\d,]+ characters left out\]\nline \d+\n.*line 4999\nerror: why$/s,
  );
  expect(detailOf("x".repeat(50_000))).toHaveLength(16_000);
  expect(detailOf("short")).toBe("short");
});

it("a secret that stands where a long detail is cut is not shown in part", () => {
  const secret = `sk-${"a1B2".repeat(20)}`;
  for (let at = 0; at < secret.length; at += 1) {
    const end = "z\n".repeat(5_995 - Math.ceil(at / 2));
    const detail = detailOf(`${"y\n".repeat(20_000)}token ${secret}\n${end}`);
    expect(detail).not.toContain(secret.slice(-20));
  }
});
