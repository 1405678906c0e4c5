import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readIni, writeIni } from "../vdds/ini-file.ts";
import { findVddsPatient } from "../vdds/vdds-patient.ts";
import { findGdtPatient, gdtResult } from "./gdt-patient.ts";
import { GdtError, readGdt, writeGdt } from "./gdt-record.ts";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("a GDT file", () => {
  it("opens a patient, in code page 437 unless it says otherwise", () => {
    const dos = latin(
      "01380006301\r\n0153000M-1001\r\n0153101M\x81ller\r\n0143102Anna\r\n017310308091985\r\n01031102\r\n",
    );
    expect(findGdtPatient(readGdt(dos))).toEqual({
      number: "M-1001",
      lastName: "Müller",
      firstName: "Anna",
      birthDate: "1985-09-08",
      sex: "female",
    });
    const windows = latin("01380006302\n01092063\n0103000 7\n0153101M\xFCller\n0143103 1985-09-08\n0103110W");
    expect(findGdtPatient(readGdt(windows))).toMatchObject({
      number: "7",
      lastName: "Müller",
      birthDate: "1985-09-08",
    });
  });

  it("of another type opens no patient, and a day that does not exist is none", () => {
    expect(findGdtPatient(readGdt(latin("01380006310\r\n0123000 12\r\n")))).toBeNull();
    expect(findGdtPatient(readGdt(latin("01380006301\r\n0123000 12\r\n017310331021985\r\n")))?.birthDate).toBeNull();
  });

  it("without a record's type is refused", () => {
    for (const text of ["", "hello", "0123000 12\r\n"]) expect(() => readGdt(latin(text)), text).toThrow(GdtError);
  });

  it("is written with lengths in bytes that count the line's end, and reads back the same", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."abcÄöüß 123.-"), maxLength: 60 });
    fc.assert(
      fc.property(letters, fc.constantFrom("cp437" as const, "windows-1252" as const), (finding, encoding) => {
        const fields = gdtResult({
          number: "M-1",
          receiver: "PRAX",
          sender: "ARCA",
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

describe("a VDDS-media call", () => {
  it("names the patient in sections and keys of any case", () => {
    const file = readIni(
      latin(
        "; call\r\n[Patient]\r\nPVS=Z1\r\nPATID=4711\r\nLastName=M\xFCller\r\nFIRSTNAME=Anna\r\nSEX=W\r\nBIRTHDAY=19850908\r\n",
      ),
    );
    expect(findVddsPatient(file)).toEqual({
      number: "4711",
      lastName: "Müller",
      firstName: "Anna",
      birthDate: "1985-09-08",
      sex: "female",
    });
  });

  it("may lack the birthday, but not the number; an odd section's name changes no object", () => {
    expect(findVddsPatient(readIni(latin("[PATIENT]\nPATID=1\n")))).toMatchObject({ number: "1", birthDate: null });
    expect(findVddsPatient(readIni(latin("[PATIENT]\nLASTNAME=A\n")))).toBeNull();
    expect(findVddsPatient(readIni(latin("[__proto__]\npatid=1\n[constructor]\n")))).toBeNull();
    expect(Object.prototype).not.toHaveProperty("patid");
  });

  it("is answered in its order and code page", () => {
    const bytes = writeIni({ ERRORLEVEL: { ERRORLEVEL: 0, ERRORTEXT: "für\nalle", READY: 1 } });
    expect(Buffer.from(bytes).toString("latin1")).toBe(
      "[ERRORLEVEL]\r\nERRORLEVEL=0\r\nERRORTEXT=für alle\r\nREADY=1\r\n",
    );
  });
});
