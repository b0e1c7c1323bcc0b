import { expect, test } from "vitest";
import { isCompleteInstall } from "./lock-file.mjs";

const machine = { os: "linux", cpu: "x64", libc: "glibc" };
const plain = { version: "1.0.0", integrity: "sha512-a" };
const forLinux = { ...plain, optional: true, os: ["linux"], cpu: ["x64"], libc: ["glibc"] };
const forMusl = { ...plain, optional: true, os: ["linux"], cpu: ["x64"], libc: ["musl"] };
const forMac = { ...plain, optional: true, os: ["darwin"], cpu: ["arm64"] };
const notForWindows = { ...plain, optional: true, os: ["!win32"] };
const optionalAnywhere = { ...plain, optional: true };

/** @param {Record<string, import("./lock-file.mjs").LockEntry>} packages */
const map = (packages) => new Map(Object.entries(packages));

const wanted = map({ plain, forLinux, forMusl, forMac, notForWindows, optionalAnywhere });

test("an install with the builds for this machine, and without the others, is complete", () => {
  expect(isCompleteInstall(wanted, map({ plain, forLinux, notForWindows }), machine)).toBe(true);
  expect(isCompleteInstall(wanted, wanted, machine)).toBe(true);
});

test("an install that lacks a package is not complete", () => {
  expect(isCompleteInstall(wanted, map({ forLinux, notForWindows }), machine)).toBe(false);
});

test("an install that lacks the build for this machine is not complete, though that is optional", () => {
  expect(isCompleteInstall(wanted, map({ plain, notForWindows }), machine)).toBe(false);
  expect(isCompleteInstall(wanted, map({ plain, forLinux }), machine)).toBe(false);
});

test("an install with another version, other content, or a package too many is not complete", () => {
  const rest = { forLinux, notForWindows };
  expect(isCompleteInstall(wanted, map({ ...rest, plain: { ...plain, version: "1.0.1" } }), machine)).toBe(
    false,
  );
  expect(
    isCompleteInstall(wanted, map({ ...rest, plain: { ...plain, integrity: "sha512-b" } }), machine),
  ).toBe(false);
  expect(isCompleteInstall(wanted, map({ ...rest, plain, more: plain }), machine)).toBe(false);
});
