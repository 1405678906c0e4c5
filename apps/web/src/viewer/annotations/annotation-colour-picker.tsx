import { ColorSwatch, Group, UnstyledButton } from "@mantine/core";
import { IconPalette } from "@tabler/icons-react";
import { annotationColours } from "@arcada/contract/study/annotation";
import { useTexts } from "../../i18n/texts.ts";
import { ToolPanel } from "../ui/toolbar/tool-panel.tsx";
import { useAnnotationColour } from "./annotation-colour.ts";
import styles from "./annotation-colour-picker.module.css";
import type { AnnotationStore } from "./store/use-annotations.ts";

/** The colour of the selected annotation and of those that follow. */
export function AnnotationColourPicker({
  annotations,
  chosen,
}: {
  annotations: AnnotationStore;
  chosen: string | null;
}) {
  const t = useTexts("viewer");
  const [current, setColour] = useAnnotationColour(annotations, chosen);
  return (
    <ToolPanel label={t("viewer.marks.colour")} icon={IconPalette} isOn={current !== annotationColours[0]}>
      <Group gap={4} role="group" aria-label={t("viewer.marks.colour")}>
        {annotationColours.map((colour) => (
          <UnstyledButton
            key={colour}
            className={styles.choice ?? ""}
            aria-label={t(`viewer.marks.colours.${colour}`)}
            aria-pressed={colour === current}
            onClick={() => setColour(colour)}
          >
            <ColorSwatch component="span" size={22} color={`var(--mark-${colour})`} aria-hidden />
          </UnstyledButton>
        ))}
      </Group>
    </ToolPanel>
  );
}
