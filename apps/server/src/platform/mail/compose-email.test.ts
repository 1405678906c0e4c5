import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import { composeEmail } from "./compose-email.ts";

const now = new Date("2031-05-02T09:00:00Z");
const parts = { id: "0193", from: "Arcada <no-reply@clinic.example>", to: "dr.li@clinic.example" };
const compose = (subject: string, text: string, html = `<p lang="x">${text}</p>`) =>
  present(composeEmail({ ...parts, subject, text, html }, now)).raw;

it.each([
  ["English", "Order 261130-1", "Question:\n\nA2?\n.\n\nbye "],
  ["Chinese", `${"订单 261130-1 有疑问".repeat(9)}`, `${"牙冠颜色？".repeat(80)}\n.\n`],
  ["Spanish", "¿Qué color? ".repeat(9).trim(), `${"¿Qué color debe tener la corona del paciente? ".repeat(12)}\n\nfin`],
  ["Arabic, and a sign of four bytes", "سؤال 🦷".repeat(20), "سؤال عن الطلب 🦷 \n".repeat(40)],
])("is read as it was written: %s", async (_, subject, text) => {
  const raw = compose(subject, text);
  const read = await PostalMime.parse(raw);
  expect(read).toMatchObject({
    from: { name: "Arcada", address: "no-reply@clinic.example" },
    to: [{ address: parts.to }],
    subject,
    messageId: "<0193@clinic.example>",
    date: "2031-05-02T09:00:00.000Z",
  });
  const bodies = [read.text, read.html].map((body) => body?.replaceAll("\r\n", "\n").trim());
  expect(bodies).toEqual([text.trim(), `<p lang="x">${text}</p>`]);
  expect(Math.max(...raw.split("\r\n").map(({ length }) => length))).toBeLessThan(120);
  expect(raw).not.toMatch(/(?<!\r)\n|\r(?!\n)|[^\0-\x7f]/);
});

it("has no header that came with a subject", async () => {
  const read = await PostalMime.parse(compose("Order\r\nBcc: thief@example.test", "x"));
  expect(read.bcc).toBeUndefined();
  expect(read.subject).toContain("Bcc:");
});

it.each([
  ["a recipient with a comma", { to: "a@clinic.example,b@clinic.example" }],
  ["a recipient with a line end", { to: "a@clinic.example\r\nBcc: b@clinic.example" }],
  ["a recipient with a domain of other letters", { to: "li@诊所.example" }],
  ["a sender with quotes", { from: '"Arcada, Ltd" <no-reply@clinic.example>' }],
])("leaves to the library: %s", (_, change) => {
  expect(composeEmail({ ...parts, subject: "x", text: "x", ...change }, now)).toBeNull();
});
