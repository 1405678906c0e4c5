import type { CapacityState } from "@arcada/contract/capacity/capacity.lifecycle";
import type { Translate } from "../i18n/texts.ts";
import { translateDynamic } from "../i18n/texts.ts";

/** "50 GB, 100 analyses". */
export const formatCapacity = (
  t: Translate,
  { gigabytes, analyses }: { gigabytes: number; analyses: number },
): string => t("capacity.worth", { gigabytes, analyses });

/** A plan that is no longer offered has its identifier for a name. */
export const formatPlan = (t: Translate, plan: string | null): string =>
  translateDynamic(t, `capacity.plan.${plan}`, plan ?? "");

/** Formats a number in groups of four, as printed on the card. */
export const formatCardNumber = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, "$1-");

export const stateColours: Record<CapacityState, string> = {
  issued: "blue",
  subscribed: "blue",
  in_effect: "teal",
  unsubscribed: "orange",
  expired: "gray",
  void: "red",
};
