import type { NegotiatedContext, Proposal } from "./pdu.ts";

export const verificationClass = "1.2.840.10008.1.1";
/** Modality Worklist Information Model (PS3.4 K.6.1). */
export const worklistModel = "1.2.840.10008.5.1.4.31";
export const explicitLittleEndian = "1.2.840.10008.1.2.1";
export const implicitLittleEndian = "1.2.840.10008.1.2";

/**
 * Transfer syntaxes in order of preference, for a proposal that offers several: explicit VR first, then the lossless
 * ones. A sender that could also send a lossy image is not asked to do so.
 */
const preferredSyntaxes = [
  explicitLittleEndian,
  "1.2.840.10008.1.2.1.99",
  "1.2.840.10008.1.2.4.201",
  "1.2.840.10008.1.2.4.202",
  "1.2.840.10008.1.2.4.80",
  "1.2.840.10008.1.2.4.90",
  "1.2.840.10008.1.2.4.70",
  "1.2.840.10008.1.2.4.57",
  "1.2.840.10008.1.2.5",
  implicitLittleEndian,
  "1.2.840.10008.1.2.2",
  "1.2.840.10008.1.2.4.203",
  "1.2.840.10008.1.2.4.91",
  "1.2.840.10008.1.2.4.81",
  "1.2.840.10008.1.2.4.51",
  "1.2.840.10008.1.2.4.50",
];

/** PS3.4 B.5: every storage class has this root; searches and work lists have others. */
const isStorage = (uid: string): boolean => /^1\.2\.840\.10008\.5\.1\.4\.1\.1(\.\d+)+$/.test(uid);

/**
 * Accepts storage, an echo or, if there is a work list, a search of it, each in a transfer syntax that is decoded here.
 */
export function negotiateContext(
  { id, abstractSyntax, transferSyntaxes }: Proposal,
  hasWorklist: boolean,
): NegotiatedContext {
  const refused = (result: 3 | 4): NegotiatedContext => ({ id, result, transferSyntax: implicitLittleEndian });
  const isSearch = hasWorklist && abstractSyntax === worklistModel;
  if (abstractSyntax !== verificationClass && !isSearch && !isStorage(abstractSyntax)) return refused(3);
  const known = isSearch ? [explicitLittleEndian, implicitLittleEndian] : preferredSyntaxes;
  const transferSyntax = known.find((syntax) => transferSyntaxes.includes(syntax));
  return transferSyntax ? { id, result: 0, transferSyntax } : refused(4);
}
