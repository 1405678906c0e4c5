import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExchangeError } from "../exchange-error.ts";
import { findGdtRequest, gdtResult } from "./gdt-patient.ts";
import { readGdt, writeGdt } from "./gdt-record.ts";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");
const personIn = (text: string | Uint8Array) =>
  findGdtRequest(readGdt(typeof text === "string" ? latin(text) : text))?.person;

describe("a GDT file", () => {
  it("opens a patient, in code page 437 unless it says otherwise", () => {
    const dos = "01380006301\r\n0153000M-1001\r\n0153101M\x81ller\r\n0143102Anna\r\n017310308091985\r\n01031102\r\n";
    const anna = { number: "M-1001", name: "Müller^Anna", birthDate: "1985-09-08", sex: "female" };
    expect(personIn(dos)).toEqual(anna);
    const windows = "01380006302\n01092063\n0103000 7\n0153101M\xFCller\n0143103 1985-09-08\n0103110W";
    expect(personIn(windows)).toEqual({ ...anna, number: "7", name: "Müller" });
  });

  it.each([
    ["code page 437", latin("01380006301\r\n0103000 7\r\n0153101Gr\x94\xE1e\r\n")],
    ["code page 1252", latin("01380006301\r\n0103000 7\r\n0153101Gr\xF6\xDFe\r\n")],
    ["UTF-8", Buffer.from("01380006301\r\n0103000 7\r\n0173101Größe\r\n")],
  ])("without a declared character set is read as %s where its bytes are", (_, bytes) => {
    expect(personIn(bytes)?.name).toBe("Größe");
  });

  it("keeps its sense with lengths and line ends that are wrong, and in the objects of version 3", () => {
    const odd = "00080006302\r9998200Obj_Patient\r0003000 12\n9993101A\r\n0018201Obj_Patient";
    expect(personIn(odd)).toMatchObject({ number: "12", name: "A" });
  });

  it("of another type opens no patient, and a day that does not exist is none", () => {
    expect(personIn("01380006310\r\n0123000 12\r\n")).toBeUndefined();
    expect(personIn("01380006301\r\n0123000 12\r\n017310331021985\r\n")?.birthDate).toBeNull();
  });

  it("with an impossible number opens nobody", () => {
    expect(personIn(`01380006301\r\n0733000${"1".repeat(65)}\r\n`)).toBeUndefined();
    expect(personIn("01380006301\r\n0093000\r\n")).toBeUndefined();
  });

  it("without a record's type, or too large, is refused", () => {
    const large = new Uint8Array(1024 * 1024 + 1);
    for (const bytes of [latin(""), latin("hello"), latin("0123000 12\r\n"), large])
      expect(() => readGdt(bytes)).toThrow(ExchangeError);
  });

  it("of any bytes is read or refused, and never throws otherwise", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => {
        const bytes = Buffer.concat([latin("01380006301\r\n0103000 7\r\n"), noise]);
        expect(findGdtRequest(readGdt(bytes))?.person.number).toBe("7");
      }),
    );
  });

  it("is written with lengths in bytes that count the line's end, and reads back the same", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."abcÄöüß 123.-"), maxLength: 60 });
    fc.assert(
      fc.property(letters, fc.constantFrom("cp437" as const, "windows-1252" as const), (finding, encoding) => {
        const fields = gdtResult({
          number: "M-1",
          receiver: "PRAX",
          sender: "ARCA",
          examination: "",
          date: "2026-11-29",
          finding,
          attachment: null,
        });
        const bytes = writeGdt("6310", fields, encoding);
        const lines = Buffer.from(bytes).toString("latin1").split("\r\n").slice(0, -1);
        for (const line of lines) expect(line.length + 2).toBe(Number(line.slice(0, 3)));
        const read = readGdt(bytes);
        expect(Number(read.find(({ id }) => id === "8100")?.content)).toBe(bytes.length);
        expect(read.find(({ id }) => id === "6220")?.content).toBe(finding.trim());
        expect(read.find(({ id }) => id === "6200")?.content).toBe("29112026");
      }),
    );
  });

  it("cannot get a second field from a content with a line's end", () => {
    const bytes = writeGdt("6310", [{ id: "6220", content: "a\r\n0133000 evil" }]);
    expect(readGdt(bytes).map(({ id }) => id)).toEqual(["8000", "8100", "9206", "6220"]);
  });
});
