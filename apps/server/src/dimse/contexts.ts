import type { Answered, Proposal } from "./pdu.ts";

export const verification = "1.2.840.10008.1.1";
const explicitLittle = "1.2.840.10008.1.2.1";
const implicitLittle = "1.2.840.10008.1.2";

/**
 * What is taken where several are offered, the dearest first: explicit values before all, then what loses nothing. A
 * sender that could also send a lossy picture is not asked for it.
 */
const syntaxes = [
  explicitLittle,
  "1.2.840.10008.1.2.1.99",
  "1.2.840.10008.1.2.4.201",
  "1.2.840.10008.1.2.4.202",
  "1.2.840.10008.1.2.4.80",
  "1.2.840.10008.1.2.4.90",
  "1.2.840.10008.1.2.4.70",
  "1.2.840.10008.1.2.4.57",
  "1.2.840.10008.1.2.5",
  implicitLittle,
  "1.2.840.10008.1.2.2",
  "1.2.840.10008.1.2.4.203",
  "1.2.840.10008.1.2.4.91",
  "1.2.840.10008.1.2.4.81",
  "1.2.840.10008.1.2.4.51",
  "1.2.840.10008.1.2.4.50",
];

/** PS3.4 B.5: every storage class has this root; searches and work lists have others. */
const isStorage = (uid: string): boolean => /^1\.2\.840\.10008\.5\.1\.4\.1\.1(\.\d+)+$/.test(uid);

/** Takes what is storage or an echo, each in one of the transfer syntaxes that are decoded here. */
export function answerProposal({ id, abstractSyntax, transferSyntaxes }: Proposal): Answered {
  const refused = (result: 3 | 4): Answered => ({ id, result, transferSyntax: implicitLittle });
  if (abstractSyntax !== verification && !isStorage(abstractSyntax)) return refused(3);
  const transferSyntax = syntaxes.find((syntax) => transferSyntaxes.includes(syntax));
  return transferSyntax ? { id, result: 0, transferSyntax } : refused(4);
}
