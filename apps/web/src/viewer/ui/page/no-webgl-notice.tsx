import { Alert, Image, SimpleGrid } from "@mantine/core";
import { IconCubeOff } from "@tabler/icons-react";
import { useTexts } from "../../../i18n/texts.ts";
import styles from "./no-webgl-notice.module.css";

interface Props {
  images: readonly { id: string; name: string; thumbnailUrl: string }[];
}

/** A message for browsers without WebGL 2, with the available thumbnails. */
export function NoWebglNotice({ images }: Props) {
  const t = useTexts("viewer");
  return (
    <div className={styles.page}>
      <Alert color="yellow" icon={<IconCubeOff aria-hidden />} title={t("viewer.no3d")}>
        {t("viewer.no3dHelp")}
      </Alert>
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 6 }} mt="md">
        {images.map(({ id, name, thumbnailUrl }) => (
          <Image key={id} src={thumbnailUrl} alt={name} loading="lazy" radius="sm" />
        ))}
      </SimpleGrid>
    </div>
  );
}
