import { translateDynamic } from "./texts.ts";
import type { Translate } from "./texts.ts";

// Names that the server has recorded. An older version may have written a name that has no text any more, which is
// shown as it is.

/** Requires the texts `trail`. */
export const formatAuditAction = (t: Translate, action: string): string =>
  translateDynamic(t, `trail.action.${action}`, action);
/** The transition of an order. Requires the texts `order`. */
export const formatOrderAction = (t: Translate, action: string): string =>
  translateDynamic(t, `order.action.${action}`, action);
/** Requires the texts `study`. */
export const formatStudyKind = (t: Translate, kind: string): string => translateDynamic(t, `study.kind.${kind}`, kind);
export const formatRole = (t: Translate, role: string): string => translateDynamic(t, `common.role.${role}`, role);
