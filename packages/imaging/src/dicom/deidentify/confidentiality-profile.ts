/** The treatment of an element: removed, emptied, given a meaningless value, given another UID. */
export type ProfileAction = "remove" | "empty" | "dummy" | "uid";

export interface ProfileRule {
  action: ProfileAction;
  /** The content for which an option keeps it: a moment in time, the device, a description by people. */
  retainedAs?: "time" | "device" | "words";
  /** The VR for Implicit VR, where a dummy value depends on it. */
  vr?: string;
}

/**
 * Returns the action of the Basic Application Level Confidentiality Profile for an element (PS3.15 table E.1-1);
 * undefined if the table does not name it. If the table leaves a choice by the type of the attribute (X/Z, X/D, Z/D,
 * X/Z/D), the action that is valid for every type is taken: a file must not become invalid, and neither an empty nor a
 * dummy value reveals anything. For X/Z/U* the reference is kept with its UIDs changed, so that the files still refer
 * to each other.
 */
export const findProfileRule = (tag: string): ProfileRule | undefined => {
  const group = Number.parseInt(tag.slice(1, 5), 16);
  // Private elements, curves and overlays: who wrote into them cannot be known.
  if (group % 2 === 1 || (group & 0xff00) === 0x5000 || (group & 0xff00) === 0x6000) return { action: "remove" };
  return profileRules.get(tag.slice(1));
};

const profileRules = new Map<string, ProfileRule>();

function addRule(rule: ProfileRule, groups: Readonly<Record<string, string>>): void {
  for (const [group, elements] of Object.entries(groups))
    for (const element of elements.split(" ")) profileRules.set(group + element, rule);
}

addRule(
  { action: "remove" },
  {
    "0000": "1000",
    "0008":
      "0001 0051 0054 0055 0081 0092 0094 0096 009d 1000 1040 1041 1048 1049 1050 1052 1060 1062 1072 1110 1120 0082",
    "0010":
      "0021 0022 0024 0026 0027 0028 0032 0033 0034 0035 0050 0101 0102 1000 1001 1002 1005 1010 1020 1021 1022 1023 1024 1030 1040 1050 1060 1080 1081 1090 1100 2110 2150 2152 2154 2155 2160 21a0 21c0 21f0 2201 2202 2203 2292 2293 2294 2295 2296 2297 2298 2299",
    "0012": "0071 0081 0082 0086 0087",
    "0016":
      "004d 0070 0071 0072 0073 0074 0075 0076 0077 0078 0079 007a 007b 007c 007d 007e 007f 0080 0081 0082 0083 0084 0085 0086 0087 0088 0089 008a 008b 008c 008e",
    "0020": "3401 3404 3406",
    "0028": "4000",
    "0032": "0012 1031 1032 1033",
    "0034": "0001",
    "0038": "0004 0008 0010 0011 0014 001e 0050 0060 0061 0064 0300 0400",
    "0040":
      "0006 0009 000b 0012 0243 0253 0275 050a 06fa 1001 1004 1005 1010 1011 1060 1102 1103 1104 2008 2009 2010 2011 3001 4034 4035 4036 4037 a078 a07a a07c a307 a352 a353 a354 a358",
    "0050": "001b",
    "0070": "0086",
    "0088": "0200 0904 0906 0910 0912",
    "0400": "0115 0120 0310 0402 0403 0404 0500 0520 0550 0551 0552 0561 0563 0564 0565 0600",
    "2030": "0020",
    "2100": "0070 0140",
    "4000": "0010 4000",
    "4008": "0042 0102 010a 010c 0111 0112 0114 0118 0119 011a 0202",
    "4ffe": "0001",
    fffa: "fffa",
    fffc: "fffc",
  },
);
addRule(
  { action: "remove", retainedAs: "words" },
  {
    "0008": "1030 103e 1080 1084 1088 2111 4000",
    "0010": "2000 2180 21b0 4000",
    "0012": "0051 0072",
    "0016": "002b 004b",
    "0018": "4000 9185 9424 937b 937f 9937 a003",
    "0020": "4000 9158",
    "0032": "1030 1066 1067 1070 4000",
    "0038": "0040 0062 0500 4000",
    "0040": "0007 0254 0280 0310 051a 0600 0602 1002 100a 1400 2001 2400",
    "0050": "0021",
    "3006": "0004 0006 0028 0038 0085 0088",
    "3010": "0036 0037 0061",
    "300a": "0003 0004 000e 0016 0072 00c3 00dd 0196 01a6 01b2 02eb 0676",
    "300c": "0113",
    "4008": "010b 0115 0300 4000",
  },
);
addRule(
  { action: "remove", retainedAs: "device" },
  {
    "0016": "004e 004f 0050 0051",
    "0018": "1004 1005 1007 1008 1009 100a 1010 1011 5011 9373",
    "0032": "1020 1021",
    "0040": "0001 0010 0011 0241 0242 4025 4027 4028 4030",
    "0050": "0020",
    "300a": "0216",
  },
);
addRule(
  { action: "remove", retainedAs: "time" },
  {
    "0008": "0015 0024 0025 0034 0035 0106 0107 0201",
    "0010": "21d0",
    "0016": "008d",
    "0018": "1042 1043 1072 1073 1078 1079 1200 1201 1202 1203 1204 1205 700c 700e",
    "0020": "3403 3405",
    "0032": "0032 0033 0034 0035 1000 1001 1010 1011 1040 1041 1050 1051",
    "0038": "001a 001b 001c 001d 0020 0021 0030 0032",
    "0040":
      "0002 0003 0004 0005 0244 0245 0250 0251 2004 2005 4005 4008 4010 4011 4050 4051 4052 a023 a024 a110 a112 a192 a193 db06 db07",
    "0044": "0004 000b 0010 0104 0105",
    "0072": "000a",
    "0400": "0105 0562",
    "2100": "0040 0050",
    "4008": "0100 0101 0108 0109 0113",
  },
);
addRule(
  { action: "empty" },
  {
    "0008": "0050 0090 009c 1070",
    "0010": "0010 0020 0030 0040 0212 0213",
    "0012": "0021 0030 0031 0050 0060",
    "0020": "0010",
    "0040": "0513 0555 0562 0610 1101 2016 2017 a088",
    "0042": "0010",
    "2200": "0005",
    "3006": "00a6",
    "300a": "0611 0615",
    "300e": "0008",
    "3010": "001b",
  },
);
addRule(
  { action: "empty", retainedAs: "words" },
  {
    "0032": "1060",
    "2200": "0002",
    "3006": "0026",
    "300a": "067d",
    "3010": "000f 0017 005a 005c 007a 007b 007f 0081",
  },
);
addRule({ action: "empty", retainedAs: "device" }, { "3008": "0105", "300a": "00b2", "3010": "0043" });
addRule(
  { action: "empty", retainedAs: "time" },
  {
    "0008": "0020 0022 0030 0032",
    "3006": "0008",
    "300e": "0004 0005",
  },
);

const addDummyRule = (
  vr: string,
  retainedAs: ProfileRule["retainedAs"],
  groups: Readonly<Record<string, string>>,
): void => addRule({ action: "dummy", vr, ...(retainedAs && { retainedAs }) }, groups);
addDummyRule("LO", undefined, { "0008": "0080", "0012": "0010 0020 0040 0042", "0040": "0512 0551 a027" });
addDummyRule("PN", undefined, { "0040": "a075 a123", "0070": "0084" });
addDummyRule("UT", undefined, { "0040": "a160" });
addDummyRule("ST", undefined, { "0070": "0006" });
addDummyRule("OB", undefined, { "0034": "0002 0005", "0042": "0011" });
addDummyRule("LO", "device", { "0018": "1000 9367 9371", "3010": "002d" });
addDummyRule("SH", "device", { "0008": "1010", "0018": "700a" });
addDummyRule("LO", "words", {
  "0018": "0010 1030 1400 11bb",
  "300a": "0619 0623 062a 067c 0608 0734 0742 0783",
  "3010": "0033 0034 0035 0038 0054 0056 0077",
});
addDummyRule("SH", "words", { "3006": "0002", "300a": "0002" });
addDummyRule("DA", "time", {
  "0008": "0012 0021 0023",
  "0018": "1012",
  "0040": "a121",
  "0070": "0082",
  "3006": "002d",
  "3008": "0024 0054 0056 0162 0166 0250",
  "300a": "0006 022c",
  "3010": "004c 004d",
});
addDummyRule("TM", "time", {
  "0008": "0013 0031 0033",
  "0018": "1014",
  "0040": "a122",
  "0070": "0083",
  "3006": "0009 002e",
  "3008": "0025 0164 0168 0251",
  "300a": "0007 022e",
});
addDummyRule("DT", "time", {
  "0008": "002a",
  "0018": "9074 9151 9369 936a 9516 9517 9623 9701 9804 9919 a002",
  "0040": "a030 a032 a033 a034 a035 a082 a120 a13a",
  "003a": "0314",
  "300a": "0736 073a 0741 0760",
});
addDummyRule("OB", "time", { "0034": "0007" });

addRule(
  { action: "uid" },
  {
    "0000": "1001",
    "0004": "1511",
    "0008": "0014 0017 0018 0019 0058 010d 1155 1195 3010",
    "0018": "2042",
    "0020": "000d 000e 0052 0200 9161 9164",
    "0028": "1199 1214",
    "003a": "0310",
    "0040": "0554 4023 a124 a171 a172 a402 db0c db0d",
    "0062": "0021",
    "0064": "0003",
    "0070": "031a 1101 1102",
    "0088": "0140",
    "0400": "0100",
    "3006": "0024 00c2",
    "300a": "0013 0054 0083 0609 0650 0700 0785",
    "3010": "0006 000b 0013 0015 0031 003b 006e 006f",
  },
);
addRule({ action: "uid", retainedAs: "device" }, { "0018": "1002 100b" });
