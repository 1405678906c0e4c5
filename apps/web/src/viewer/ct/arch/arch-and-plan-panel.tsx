import { Divider, Stack } from "@mantine/core";
import type { CtViewerState } from "../layout/viewport-props.ts";
import { ArchPanel } from "./arch-panel.tsx";
import { PlanPanel } from "./implant-plan/plan-panel.tsx";

/** The arch with its panorama and cross-sections, and the objects planned along it. */
export const ArchAndPlan = (parts: CtViewerState) => (
  <Stack gap="sm" mt="xs">
    <ArchPanel {...parts} />
    <Divider />
    <PlanPanel {...parts} />
  </Stack>
);
