import type { MantineColor } from "@mantine/core";
import type { ReportState } from "@arcada/contract/report/report.lifecycle";

export const stateColours: Record<ReportState, MantineColor> = {
  draft: "gray",
  in_review: "yellow",
  signed: "green",
  amended: "blue",
  withdrawn: "red",
};
