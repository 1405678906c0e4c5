import { ActionIcon, UnstyledButton } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import { kindOf, type Ruler } from "./kind.ts";
import styles from "./mark-list.module.css";
import { ProfileChart } from "./profile-chart.tsx";
import type { DrawnMark } from "./use-drawing.ts";

interface Props {
  labels: readonly { mark: DrawnMark; label: string }[];
  chosen: string | null;
  ruler: Ruler;
  onGoTo: (mark: DrawnMark) => void;
  onRemove: (id: string) => void;
}

/**
 * The annotations of an image, with buttons to go to and to delete each; for the selected one also the curve of its
 * grey values.
 */
export function MarkList({ labels, chosen, ruler, onGoTo, onRemove }: Props) {
  const t = useTexts("viewer");
  return (
    <section className={styles.panel} aria-label={t("viewer.marks.title")}>
      <h2 className={styles.title}>{t("viewer.marks.title")}</h2>
      {labels.length === 0 && <p className={styles.none}>{t("viewer.marks.noneHere")}</p>}
      <ul className={styles.list}>
        {labels.map(({ mark, label }) => (
          <MarkRow key={mark.id} {...{ mark, label, ruler, onGoTo, onRemove }} isChosen={mark.id === chosen} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps extends Omit<Props, "labels" | "chosen"> {
  mark: DrawnMark;
  label: string;
  isChosen: boolean;
}

function MarkRow({ mark, label, isChosen, ruler, onGoTo, onRemove }: RowProps) {
  const t = useTexts("viewer");
  const { icon: Sign } = kindOf(mark.tool);
  const [a, b] = mark.points;
  const profile = isChosen && mark.tool === "profile" && a && b ? ruler.profile?.(a, b) : null;
  const name = t(`viewer.tool.${mark.tool}`);
  return (
    <li className={isChosen ? styles.chosen : styles.mark}>
      <div className={styles.row}>
        <UnstyledButton className={styles.go ?? ""} aria-pressed={isChosen} onClick={() => onGoTo(mark)}>
          <Sign size={16} stroke={1.6} aria-hidden />
          <span className={styles.words}>
            {label ? label.split("\n").map((line, at) => <span key={at}>{line}</span>) : name}
          </span>
        </UnstyledButton>
        <ActionIcon
          size={36}
          variant="subtle"
          color="gray"
          aria-label={t("viewer.marks.remove", { name: `${name} ${label.replaceAll("\n", ", ")}` })}
          onClick={() => onRemove(mark.id)}
        >
          <IconTrash size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
      {profile && <ProfileChart profile={profile} />}
    </li>
  );
}
