import { UnstyledButton } from "@mantine/core";
import { IconBox, IconDental, IconFileDescription, IconPhoto } from "@tabler/icons-react";
import { useTexts } from "../i18n/texts.ts";
import type { StudyItem } from "./study-items.ts";
import styles from "./study-thumbnail-strip.module.css";

const icons = { volume: IconBox, picture: IconPhoto, models: IconDental };

/** The thumbnails of a study's items. */
export function StudyThumbnailStrip({
  items,
  chosen,
  onChoose,
}: {
  items: readonly StudyItem[];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  const t = useTexts("viewer");
  return (
    <nav className={styles.strip} aria-label={t("viewer.strip")}>
      {items.map((item, at) => {
        const isFile = item.kind === "picture" && item.instance.document !== null;
        const Icon = isFile ? IconFileDescription : icons[item.kind];
        const name = item.name || t("viewer.itemNumber", { number: at + 1 });
        return (
          <UnstyledButton
            key={item.id}
            className={item.id === chosen ? styles.chosen : styles.item}
            aria-current={item.id === chosen}
            title={name}
            onClick={() => onChoose(item.id)}
          >
            {item.thumbnailUrl ? (
              <img className={styles.picture} src={item.thumbnailUrl} alt="" loading="lazy" />
            ) : (
              <Icon className={styles.picture} stroke={1.2} aria-hidden />
            )}
            <span className={styles.name}>{name}</span>
          </UnstyledButton>
        );
      })}
    </nav>
  );
}
