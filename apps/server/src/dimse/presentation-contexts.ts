import type { NegotiatedContext, Proposal, RoleSelection } from "./pdu.ts";
import { commands } from "./command-set.ts";
import type { DimseService } from "./service.ts";

export const verificationClass = "1.2.840.10008.1.1";
/** Modality Worklist Information Model (PS3.4 K.6.1). */
export const worklistModel = "1.2.840.10008.5.1.4.31";
/** Query/Retrieve Information Models (PS3.4 C.6). */
export const patientRootFind = "1.2.840.10008.5.1.4.1.2.1.1";
export const patientRootMove = "1.2.840.10008.5.1.4.1.2.1.2";
export const patientRootGet = "1.2.840.10008.5.1.4.1.2.1.3";
export const studyRootFind = "1.2.840.10008.5.1.4.1.2.2.1";
export const studyRootMove = "1.2.840.10008.5.1.4.1.2.2.2";
export const studyRootGet = "1.2.840.10008.5.1.4.1.2.2.3";
/** Storage Commitment Push Model (PS3.4 J.3), and its only instance. */
export const commitmentModel = "1.2.840.10008.1.20.1";
export const commitmentInstance = "1.2.840.10008.1.20.1.1";
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
export const isStorageClass = (uid: string): boolean => /^1\.2\.840\.10008\.5\.1\.4\.1\.1(\.\d+)+$/.test(uid);

/**
 * Accepts storage, an echo, and the services that the peer may use, each in a transfer syntax that is decoded here.
 */
export function negotiateContext(
  { id, abstractSyntax, transferSyntaxes }: Proposal,
  services: readonly DimseService[],
): NegotiatedContext {
  const refused = (result: 3 | 4): NegotiatedContext => ({ id, result, transferSyntax: implicitLittleEndian });
  const isService = services.some((service) => service.abstractSyntax === abstractSyntax);
  if (abstractSyntax !== verificationClass && !isService && !isStorageClass(abstractSyntax)) return refused(3);
  const known = isService ? [explicitLittleEndian, implicitLittleEndian] : preferredSyntaxes;
  const transferSyntax = known.find((syntax) => transferSyntaxes.includes(syntax));
  return transferSyntax ? { id, result: 0, transferSyntax } : refused(4);
}

/**
 * PS3.7 D.3.3.4: the roles that are accepted of those that the peer proposes. It may receive objects where a C-GET is
 * offered, and send them in any case.
 */
export function answerRoles(proposed: readonly RoleSelection[], services: readonly DimseService[]): RoleSelection[] {
  const mayGet = services.some(({ field }) => field === commands.get);
  return proposed.map(({ sopClass, isScu, isScp }) => ({
    sopClass,
    isScu,
    isScp: isScp && (isStorageClass(sopClass) ? mayGet : services.some((one) => one.abstractSyntax === sopClass)),
  }));
}
