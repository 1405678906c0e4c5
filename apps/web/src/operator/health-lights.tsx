import { Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { HealthLight, LightState } from "@arcada/contract/operator/health.calls";
import { useTexts } from "../i18n/texts.ts";
import classes from "./operator.module.css";

type Icon = ComponentType<{ size?: number; color?: string; "aria-hidden"?: boolean }>;
/** Distinguishable by shape as well as by colour. */
const appearanceByState: Record<LightState, { Icon: Icon; colour: string }> = {
  good: { Icon: IconCircleCheck, colour: "var(--mantine-color-teal-7)" },
  watch: { Icon: IconAlertTriangle, colour: "var(--mantine-color-orange-7)" },
  bad: { Icon: IconCircleX, colour: "var(--mantine-color-red-7)" },
  unknown: { Icon: IconHelpCircle, colour: "var(--mantine-color-gray-6)" },
};

/** Lights that need a person stand first; the others keep their order. */
const byUrgency: readonly LightState[] = ["bad", "watch", "unknown", "good"];

export function HealthLights({ lights }: { lights: readonly HealthLight[] }) {
  const t = useTexts("operator");
  return (
    <div className={classes.lights}>
      {lights
        .toSorted((one, other) => byUrgency.indexOf(one.state) - byUrgency.indexOf(other.state))
        .map(({ name, state }) => {
          const { Icon, colour } = appearanceByState[state];
          return (
            <span key={name} className={classes.light}>
              <Icon size={20} color={colour} aria-hidden />
              <Text size="sm" span fw={state === "bad" || state === "watch" ? 600 : 400}>
                {t("operator.light.line", {
                  name: t(`operator.light.${name}`),
                  state: t(`operator.lightState.${state}`),
                })}
              </Text>
            </span>
          );
        })}
    </div>
  );
}
