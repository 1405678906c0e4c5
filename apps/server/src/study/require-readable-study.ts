import { findOwnStudy, findPatientName, findStudyByOrder, type StudyRecord } from "./study.store.ts";
import { mayDownloadOriginal } from "@arcada/contract/order/receiver-rights";
import type { MemberContext } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { StudyReader } from "./study.view.ts";

interface ReadableStudy extends Omit<StudyReader, "sign" | "brief"> {
  study: StudyRecord;
  patientName: string;
}
/**
 * A clinic reads its own studies; another institution reads those that an order contains, under the name that the order
 * gives.
 */
export async function requireReadableStudy(context: MemberContext, id: string): Promise<ReadableStudy> {
  const { db, principal, now } = context;
  const own = await findOwnStudy(db, principal.iid, id);
  if (own)
    return {
      study: own,
      patientName: await findPatientName(db, principal.iid, own),
      owns: true,
      masked: false,
      clean: null,
      mayTake: () => true,
    };
  const { study, orderAccess } = (await findStudyByOrder(db, principal.iid, id)) ?? refuse("notFound");
  const { patientName, masked, order } = orderAccess[0]!;
  return {
    study,
    patientName,
    owns: false,
    masked,
    clean: masked ? order : null,
    mayTake: (file) => orderAccess.some((access) => mayDownloadOriginal(access, file, now)),
  };
}
