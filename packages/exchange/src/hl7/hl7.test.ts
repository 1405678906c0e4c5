import { describe, expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import { escapeText, parseHl7, writeSegment } from "./hl7-message.ts";
import { createMllpReader, frameMessage, type MllpEvent } from "./mllp.ts";
import { peekHl7Header, readHl7Header } from "./read-header.ts";
import { readHl7Orders } from "./read-order.ts";
import { readFormerNumber, readHl7Person } from "./read-person.ts";
import { readHl7Day, readHl7LocalTime } from "./read-time.ts";
import { writeAcknowledgement } from "./write-acknowledgement.ts";
import { writeHl7Result } from "./write-result.ts";

const encode = (text: string): Uint8Array => Buffer.from(text, "latin1");
const head = (charset = "") => `MSH|^~\\&|KIS|HOSPITAL|ARCADA|DENTAL|20260101||ADT^A04^ADT_A01|7|P|2.5||||||${charset}`;
const parse = (text: string | Uint8Array) => parseHl7(typeof text === "string" ? Buffer.from(text) : text);
const person = (pid: string, authority = "") => {
  const notes: string[] = [];
  const found = readHl7Person(present(parse(`${head()}\r${pid}`).segment("PID")), authority, notes);
  return { ...found, notes };
};

describe("an HL7 message", () => {
  it.each(["\r", "\n", "\r\n"])("may end its segments with %j", (end) => {
    const message = parse([head(), "ZZZ|1", "PID|1||4711"].join(end));
    expect(message.segments.map(({ name }) => name)).toEqual(["MSH", "ZZZ", "PID"]);
    expect(readHl7Header(message)).toMatchObject({ application: "KIS", type: "ADT", event: "A04", controlId: "7" });
  });

  it("names its own delimiters", () => {
    const message = parse("MSH$%~\\&$KIS$$$$$$ADT%A01\rPID$$$4711%%%HOSP");
    expect(message.segment("PID")?.get(3, 4)).toBe("HOSP");
    expect(message.segments[0]?.get(9, 2)).toBe("A01");
  });

  it.each(["", "PID|1", "MSHABCD", "MSH|||||", "GET / HTTP/1.1"])("is not %j", (text) => {
    expect(() => parse(text)).toThrow("notHl7");
  });

  it("replaces escapes and leaves out those that only format", () => {
    const [, obx] = parse(`${head()}\rOBX|1|TX|A||one\\F\\two\\.br\\three\\H\\four\\N\\ \\X41\\ \\E\\ open\\`).segments;
    expect(obx?.get(5)).toBe("one|two\nthreefour A \\ open\\");
    const [, back] = parse(`${head()}\r${writeSegment("OBX", ["1", "a|b^c~d&e\\f\ng"])}`).segments;
    expect(back?.get(2)).toBe("a|b^c~d&e\\f\ng");
    expect(escapeText("a\u0007b")).toBe("a b");
  });

  it.each([
    ["UNICODE UTF-8", Buffer.from("Müller 王")],
    ["8859/1", Buffer.from("M\u00fcller ", "latin1")],
    ["", Buffer.from("M\u00fcller ", "latin1")],
    ["GB 18030-2000", Buffer.from([0x4d, 0xa8, 0xb9, 0x6c, 0x6c, 0x65, 0x72, 0x20, 0xcd, 0xf5])],
  ])("is read in the character set %s", (charset, name) => {
    const bytes = Buffer.concat([encode(`${head(charset)}\rPID|1||1||`), name, encode("^Anna")]);
    expect(parse(bytes).segment("PID")?.get(5)).toBe(name.length === 7 ? "Müller" : "Müller 王");
  });

  it("is read in GB 18030 where a second byte looks like a delimiter", () => {
    // 鎩 is A0 7C, and 7C alone is the field separator.
    const name = new TextDecoder("gb18030").decode(Buffer.from([0xe6, 0x7c]));
    const bytes = Buffer.concat([
      encode(`${head("GB 18030-2000")}\rPID|1||1||`),
      Buffer.from([0xe6, 0x7c]),
      encode("^A|x"),
    ]);
    expect(parse(bytes).segment("PID")?.get(5)).toBe(name);
    expect(parse(bytes).segment("PID")?.get(6)).toBe("x");
  });

  it.each(["JIS X 0202", "UNICODE UTF-16"])(
    "is refused in the unknown character set %s, and its header is known",
    (charset) => {
      expect(() => parse(`${head(charset)}\rPID|1`)).toThrow("unknownEncoding");
      expect(peekHl7Header(Buffer.from(head(charset)))).toMatchObject({ application: "KIS", controlId: "7" });
    },
  );
});

describe("a hostile message", () => {
  const megabyte = 1_000_000;
  it.each([
    ["repetitions", `PID|1||${"~".repeat(megabyte)}`],
    ["repetitions of a name", `PID|1||7^^^KIS||${"~".repeat(megabyte)}`],
    ["components", `PID|1||7^^^KIS||${"^".repeat(megabyte)}`],
    ["subcomponents", `PID|1||7^^^KIS||${"&".repeat(megabyte)}`],
    ["escapes", `PID|1||7^^^KIS||${"\\X41\\".repeat(megabyte / 5)}`],
    ["fields", `PID${"|".repeat(megabyte)}`],
    ["observations", `PID|1||7\rORC|NW|1\r${`OBX|1||TEETH||${"~".repeat(60_000)}\r`.repeat(16)}`],
  ])("of a megabyte of %s is read in a moment", (_, segments) => {
    const bytes = encode(`${head()}\r${segments}\r`);
    const began = performance.now();
    const message = parseHl7(bytes);
    readHl7Person(present(message.segment("PID")), "KIS", []);
    readHl7Orders(message, []);
    expect(performance.now() - began).toBeLessThan(400);
  });

  it("has no NUL in any text, and no half of a letter where a text is cut", () => {
    const name = `${"a".repeat(79)}𠮷`;
    const message = parse(`MSH|^~\\&|K\0IS|H|||||ADT^A04|C\\X00\\1\rPID|1||7\0||${name}||||||||\0 5\r`);
    expect(readHl7Header(message)).toMatchObject({ application: "KIS", controlId: "C1" });
    expect(peekHl7Header(encode("MSH|^~\\&|K\0IS|H|||||ADT^A04|C\\X00\\1\r"))).toMatchObject({
      application: "KIS",
      controlId: "C1",
    });
    const person = readHl7Person(present(message.segment("PID")), "", []);
    expect(person.number).toBe("7");
    expect(person.name).toBe("a".repeat(79));
  });
});

describe("the person of a message", () => {
  it("has the number of the wanted authority, the legal name and the parts of PID that a record has", () => {
    const pid =
      "PID|1||99^^^CARD^SS~4711^^^KIS^MR~12^^^OTHER^MR||Maier^Anna^^^^^M~Müller^Anna^Eva^^^^L||19850908|F|||Ring 1^^Bern^BE^3000^CH||031 123~^NET^Internet^a@b.ch";
    expect(person(pid)).toMatchObject({
      number: "4711",
      name: "Müller^Anna Eva",
      birthDate: "1985-09-08",
      sex: "female",
      phone: "031 123",
      mailAddress: "Ring 1, 3000 Bern, BE, CH",
      email: "a@b.ch",
    });
    expect(person(pid, "other").number).toBe("12");
    expect(person(pid, "NOBODY").number).toBe("");
  });

  it('is deleted where the sender writes "", and stays where it writes nothing', () => {
    expect(person('PID|1||1||A^B||19850908|M|||""||""')).toMatchObject({ phone: null, mailAddress: null });
    expect(person("PID|1||1||A^B")).toMatchObject({ phone: undefined, mailAddress: undefined, birthDate: undefined });
  });

  it("has no birth date that is none, which is noted", () => {
    expect(person("PID|1||1||A^B||19850231")).toMatchObject({ birthDate: undefined, notes: ["PID-7 is no date"] });
  });

  it("has a former number in MRG", () => {
    expect(readFormerNumber(parse(`${head()}\rMRG|9^^^X~8^^^KIS`), "KIS")).toBe("8");
  });
});

it.each([
  ["19850908", "1985-09-08", "1985-09-08T00:00:00"],
  ["198509081530", "1985-09-08", "1985-09-08T15:30:00"],
  ["19850908153059.1234+0200", "1985-09-08", "1985-09-08T15:30:00"],
  ["198509", undefined, undefined],
  ["19851301", undefined, undefined],
  ["1985-09-08", undefined, undefined],
])("reads the time %s", (text, day, time) => {
  expect([readHl7Day(text), readHl7LocalTime(text)]).toEqual([day, time]);
});

describe("the orders of a message", () => {
  const orders = (...lines: string[]) => {
    const notes: string[] = [];
    return { list: readHl7Orders(parse([head(), ...lines].join("\r")), notes), notes };
  };

  it("have numbers, what is asked for, its time and teeth in FDI", () => {
    const { list, notes } = orders(
      "ORC|NW|P1^KIS|F1||||^^^202601021030|||||7^Weber^Ida",
      "OBR|1|P1|F1|CBCT^Cone beam CT^L|||||||||pain|||||A77",
      "OBX|1|ST|TEETH^Tooth FDI||36~37, 99",
      "ORC|CA|P2",
      "ORC|SC|P3",
    );
    expect(list).toMatchObject([
      {
        action: "request",
        placer: "P1",
        filler: "F1",
        accession: "A77",
        code: "CBCT",
        description: "Cone beam CT",
        reason: "pain",
        requester: "Ida Weber",
        scheduledAt: "2026-01-02T10:30:00",
        teeth: [36, 37],
      },
      { action: "cancel", placer: "P2" },
    ]);
    expect(notes).toEqual(["OBX-5 has something that is no FDI number", "ORC-1 SC is not used"]);
  });
});

describe("MLLP", () => {
  const read = (pieces: Uint8Array[], limit?: number): string[] => {
    const reader = createMllpReader(limit);
    const show = (event: MllpEvent) => (event.kind === "fault" ? event.fault : Buffer.from(event.bytes).toString());
    return pieces.flatMap((piece) => reader.read(piece).map(show));
  };
  const two = Buffer.concat([frameMessage(encode("one")), encode("\n"), frameMessage(encode("two"))]);

  it("finds the messages however they are cut", () => {
    for (let at = 0; at <= two.length; at++)
      expect(read([two.subarray(0, at), two.subarray(at)])).toEqual(["one", "two"]);
    expect(read(Array.from(two, (byte) => Uint8Array.of(byte)))).toEqual(["one", "two"]);
  });

  it("drops a message without an end when the next one begins", () => {
    expect(read([encode("\u000bhalf"), frameMessage(encode("whole"))])).toEqual(["noEnd", "whole"]);
  });

  it("ends with a message that is too long, and with a peer that speaks something else", () => {
    expect(read([encode("\u000b12345"), encode("67890")], 8)).toEqual(["tooLong"]);
    expect(read([encode("\u000b12345678\u001c\r")], 8)).toEqual(["12345678"]);
    expect(read([Buffer.alloc(2000, 65)])).toEqual(["notMllp"]);
  });

  it("ends with a peer that begins messages without end, and does not report each of them", () => {
    const faults = read([Buffer.alloc(65_536, 0x0b)]);
    expect(faults.length).toBeLessThan(32);
    expect(faults.at(-1)).toBe("notMllp");
    const lost = encode("\u000bhalf");
    expect(read([...Array.from({ length: 10 }, () => lost), frameMessage(encode("whole"))]).at(-1)).toBe("whole");
  });

  it("holds a message that comes byte by byte in about its own size", () => {
    const reader = createMllpReader();
    const before = process.memoryUsage();
    reader.read(Uint8Array.of(0x0b));
    for (let count = 0; count < 500_000; count++) reader.read(Uint8Array.of(65));
    const after = process.memoryUsage();
    expect(reader.isInside).toBe(true);
    const held = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
    expect(reader.read(Uint8Array.of(0x1c))).toHaveLength(1);
    expect(held).toBeLessThan(60_000_000);
  });
});

it("acknowledges a message with its control id and the sides exchanged", () => {
  const header = peekHl7Header(Buffer.from(head()));
  const error = { code: "fieldMissing", text: "PID-3 has no number" } as const;
  const ack = parse(writeAcknowledgement(header, { code: "AE", error }, "99", new Date(0)));
  expect(ack.segments[0]?.get(3)).toBe("ARCADA");
  expect(ack.segments[0]?.get(5)).toBe("KIS");
  expect([ack.segment("MSA")?.get(1), ack.segment("MSA")?.get(2)]).toEqual(["AE", "7"]);
  expect([ack.segment("ERR")?.get(3), ack.segment("ERR")?.get(8)]).toEqual(["101", "PID-3 has no number"]);
});

it("writes a report with the numbers of its order and the document", () => {
  const text = writeHl7Result({
    controlId: "5",
    now: new Date("2026-01-02T03:04:05Z"),
    sender: { application: "ARCADA", facility: "DENTAL" },
    receiver: { application: "KIS", facility: "HOSPITAL" },
    patient: {
      number: "4711",
      authority: "KIS",
      ownNumber: "P1",
      name: "Anna Müller",
      birthDate: "1985-09-08",
      sex: "female",
    },
    order: { placer: "P1", filler: "F1", accession: "A77", code: "CBCT", description: "Cone beam CT" },
    report: {
      number: "R1",
      title: "Report",
      signedAt: new Date("2026-01-02T03:00:00Z"),
      signer: "Dr Weber",
      isAmended: true,
    },
    document: { pdf: Buffer.from("%PDF") },
    texts: [{ code: "DIAGNOSIS", name: "Diagnosis", value: "caries | 36\nnew line" }],
  });
  const message = parse(text);
  const [obr, orc, pid] = ["OBR", "ORC", "PID"].map((name) => message.segment(name));
  expect([orc?.get(2), orc?.get(3), obr?.get(4), obr?.get(18), obr?.get(25)]).toEqual(["P1", "F1", "CBCT", "A77", "C"]);
  expect([pid?.get(3), pid?.get(3, 4), pid?.get(5), pid?.get(5, 2), pid?.get(7)]).toEqual([
    "4711",
    "KIS",
    "Müller",
    "Anna",
    "19850908",
  ]);
  const [words, document] = message.segments.filter(({ name }) => name === "OBX");
  expect(words?.get(5)).toBe("caries | 36\nnew line");
  expect([document?.get(2), document?.get(5, 4), document?.get(5, 5), document?.get(11)]).toEqual([
    "ED",
    "Base64",
    "JVBERg==",
    "C",
  ]);
});
