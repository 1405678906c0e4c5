import { expect, it } from "vitest";
import { publicAddress } from "./installation-checks.calls.ts";

it.each([
  "https://arcada.clinic.example",
  "https://arcada.clinic.example:8443/",
  "http://localhost:8080",
  "http://192.168.1.20",
  "http://172.20.0.5:8080",
])("%s is a public address", (url) => {
  expect(publicAddress.safeParse(url).success).toBe(true);
});

it.each([
  "http://arcada.clinic.example",
  "http://10.evil.example",
  "http://172.32.0.5",
  "https://arcada.clinic.example/path",
  "https://user:secret@arcada.clinic.example",
  "javascript:alert(1)",
  "arcada.clinic.example",
  "",
])("%s is no public address", (url) => {
  expect(publicAddress.safeParse(url).success).toBe(false);
});
