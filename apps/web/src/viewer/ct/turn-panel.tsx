import { Button, NumberInput, Stack } from "@mantine/core";
import { IconRotate2 } from "@tabler/icons-react";
import { planeNames } from "@arcada/imaging/view/plane";
import { angleIn, isStraight } from "@arcada/imaging/view/turned-planes";
import { useTexts } from "../../kernel/texts.ts";
import { ToolPanel } from "../frame/tool-panel.tsx";
import type { CtControls } from "./use-ct-controls.ts";

/** The planes' angles, typed. */
export function TurnPanel({ controls }: { controls: CtControls }) {
  const t = useTexts("viewer");
  const { planes, turn, straighten } = controls;
  const straight = isStraight(planes);
  return (
    <ToolPanel label={t("viewer.turn.title")} icon={IconRotate2} isOn={!straight}>
      <Stack gap="xs" w={200}>
        {planeNames.map((name) => {
          const angle = angleIn(planes, name);
          return (
            <NumberInput
              key={name}
              size="xs"
              label={t("viewer.turn.in", { plane: t(`viewer.plane.${name}`) })}
              value={Number(angle.toFixed(1))}
              min={-180}
              max={180}
              step={1}
              decimalScale={1}
              suffix="°"
              onChange={(typed) => typeof typed === "number" && turn(name, typed - angle)}
            />
          );
        })}
        <Button size="xs" variant="light" disabled={straight} onClick={straighten}>
          {t("viewer.turn.straighten")}
        </Button>
      </Stack>
    </ToolPanel>
  );
}

export const turnKeys = ({ turn, straighten }: CtControls, name: (typeof planeNames)[number] | null) => ({
  X: () => name && turn(name, 1),
  Z: () => name && turn(name, -1),
  "Shift+X": () => name && turn(name, 10),
  "Shift+Z": () => name && turn(name, -10),
  "Shift+R": straighten,
});
