import { ActionIcon, UnstyledButton } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTexts } from "../../i18n/texts.ts";
import type { Ruler } from "./annotation-kind-types.ts";
import styles from "./annotation-list.module.css";
import { ProfileChart } from "./profile-chart.tsx";
import type { DrawnAnnotation } from "./drawing/use-drawing.ts";
import { annotationKindOf } from "./annotation-kind-registry.ts";

interface Props {
  labels: readonly { annotation: DrawnAnnotation; label: string }[];
  chosen: string | null;
  ruler: Ruler;
  onGoTo: (annotation: DrawnAnnotation) => void;
  onRemove: (id: string) => void;
}

/**
 * The annotations of an image, with buttons to go to and to delete each; for the selected one also the curve of its
 * grey values.
 */
export function AnnotationList({ labels, chosen, ruler, onGoTo, onRemove }: Props) {
  const t = useTexts("viewer");
  return (
    <section className={styles.panel} aria-label={t("viewer.marks.title")}>
      <h2 className={styles.title}>{t("viewer.marks.title")}</h2>
      {labels.length === 0 && <p className={styles.none}>{t("viewer.marks.noneHere")}</p>}
      <ul className={styles.list}>
        {labels.map(({ annotation, label }) => (
          <AnnotationRow
            key={annotation.id}
            {...{ annotation, label, ruler, onGoTo, onRemove }}
            isChosen={annotation.id === chosen}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps extends Omit<Props, "labels" | "chosen"> {
  annotation: DrawnAnnotation;
  label: string;
  isChosen: boolean;
}

function AnnotationRow({ annotation, label, isChosen, ruler, onGoTo, onRemove }: RowProps) {
  const t = useTexts("viewer");
  const { icon: KindIcon } = annotationKindOf(annotation.tool);
  const [a, b] = annotation.points;
  const profile = isChosen && annotation.tool === "profile" && a && b ? ruler.profile?.(a, b) : null;
  const name = t(`viewer.tool.${annotation.tool}`);
  return (
    <li className={isChosen ? styles.chosen : styles.mark}>
      <div className={styles.row}>
        <UnstyledButton className={styles.go ?? ""} aria-pressed={isChosen} onClick={() => onGoTo(annotation)}>
          <KindIcon size={16} stroke={1.6} aria-hidden />
          <span className={styles.words}>
            {label ? label.split("\n").map((line, at) => <span key={at}>{line}</span>) : name}
          </span>
        </UnstyledButton>
        <ActionIcon
          size={36}
          variant="subtle"
          color="gray"
          aria-label={t("viewer.marks.remove", { name: `${name} ${label.replaceAll("\n", ", ")}` })}
          onClick={() => onRemove(annotation.id)}
        >
          <IconTrash size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
      {profile && <ProfileChart profile={profile} />}
    </li>
  );
}
