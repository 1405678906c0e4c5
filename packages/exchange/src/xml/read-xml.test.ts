import { describe, expect, it } from "vitest";
import { ExchangeError } from "../exchange-error.ts";
import { childOf, readXml, textOf, xmlLimits } from "./read-xml.ts";
import { element, writeXml } from "./write-xml.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const problemOf = (bytes: Uint8Array): string | null => {
  try {
    readXml(bytes);
    return null;
  } catch (error) {
    return error instanceof ExchangeError ? error.problem : String(error);
  }
};

describe("a document of another program", () => {
  it("is read with its references, sections of character data and namespaces", () => {
    const root = readXml(
      utf8('<x:Treatment a="1 &amp; 2"><Name>M&#252;ller &lt;&#x41;&gt;</Name><B><![CDATA[<c>]]></B></x:Treatment>'),
    );
    expect(root).toMatchObject({ name: "Treatment", attributes: { a: "1 & 2" } });
    expect([textOf(root, "NAME"), textOf(root, "b"), textOf(root, "c")]).toEqual(["Müller <A>", "<c>", null]);
  });

  it.each([
    ["UTF-8 with a byte order mark", utf8('\uFEFF<?xml version="1.0" encoding="utf-8"?><a>Ä王</a>'), "Ä王"],
    ["UTF-16", Uint8Array.from([0xff, 0xfe, ...Buffer.from("<a>Ä王</a>", "utf16le")]), "Ä王"],
    [
      "code page 949",
      Uint8Array.from([
        ...Buffer.from('<?xml version="1.0" encoding="euc-kr"?><a>'),
        0xb1,
        0xe8,
        ...Buffer.from("</a>"),
      ]),
      "김",
    ],
    [
      "a code page of Windows that declares UTF-8",
      Buffer.from('<?xml version="1.0" encoding="utf-8"?><a>\xC4</a>', "latin1"),
      "Ä",
    ],
    ["UTF-8 that declares UTF-16", utf8('<?xml version="1.0" encoding="utf-16"?><a>Ä</a>'), "Ä"],
  ])("is read in %s", (_name, bytes, text) => {
    expect(readXml(bytes).text).toBe(text);
  });

  it.each([
    ["entities that expand", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "hasDocumentType"],
    ["a document type in lower case", '<!doctype a SYSTEM "file:///etc/passwd"><a/>', "hasDocumentType"],
    ["an end that is missing", "<a><b></a>", "notXml"],
    ["no element at all", "hello", "notXml"],
    ["two roots", "<a/><b/>", "notXml"],
    ["an unknown encoding", '<?xml version="1.0" encoding="martian"?><a/>', "unknownEncoding"],
    ["elements within elements without end", "<a>".repeat(100_000), "tooDeep"],
    ["too many elements", `<a>${"<b/>".repeat(xmlLimits.elements)}</a>`, "tooManyElements"],
    ["a name that would change an object's prototype", "<__proto__/>", "notXml"],
  ])("is refused for %s", (_name, text, problem) => {
    expect(problemOf(utf8(text))).toBe(problem);
  });

  it("is refused for its size before it is decoded", () => {
    expect(problemOf(new Uint8Array(xmlLimits.bytes + 1))).toBe("tooLarge");
  });

  it("is written so that it reads the same, without characters that XML has no place for", () => {
    const written = writeXml(element("A", [element("B", 'a & <b> "c"\u0001', { d: "1 < 2" }), element("C", "")]));
    expect([...written.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const root = readXml(written);
    expect(textOf(root, "B")).toBe('a & <b> "c"');
    expect(childOf(root, "B")?.attributes).toEqual({ d: "1 < 2" });
  });
});
