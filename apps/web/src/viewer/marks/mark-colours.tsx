import { ColorSwatch, Group, UnstyledButton } from "@mantine/core";
import { IconPalette } from "@tabler/icons-react";
import { markColours } from "@arcada/contract/study/mark";
import { useTexts } from "../../kernel/texts.ts";
import { ToolPanel } from "../frame/tool-panel.tsx";
import { useMarkColour } from "./mark-colour.ts";
import styles from "./mark-colours.module.css";
import type { Marks } from "./use-marks.ts";

/** The colour of the selected annotation and of those that follow. */
export function MarkColours({ marks, chosen }: { marks: Marks; chosen: string | null }) {
  const t = useTexts("viewer");
  const [now, paint] = useMarkColour(marks, chosen);
  return (
    <ToolPanel label={t("viewer.marks.colour")} icon={IconPalette} isOn={now !== markColours[0]}>
      <Group gap={4} role="group" aria-label={t("viewer.marks.colour")}>
        {markColours.map((colour) => (
          <UnstyledButton
            key={colour}
            className={styles.choice ?? ""}
            aria-label={t(`viewer.marks.colours.${colour}`)}
            aria-pressed={colour === now}
            onClick={() => paint(colour)}
          >
            <ColorSwatch component="span" size={22} color={`var(--mark-${colour})`} aria-hidden />
          </UnstyledButton>
        ))}
      </Group>
    </ToolPanel>
  );
}
