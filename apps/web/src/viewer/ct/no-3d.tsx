import { Alert, Image, SimpleGrid } from "@mantine/core";
import { IconCubeOff } from "@tabler/icons-react";
import { useEffect } from "react";
import type { Series } from "@arcada/contract/study/study.calls";
import { useTexts } from "../../kernel/texts.ts";
import { endFirstLook } from "../first/first-stage.ts";
import styles from "./no-3d.module.css";

/** A browser without WebGL 2 says so and offers the small pictures that there are. */
export function No3d({ series }: { series: Series }) {
  const t = useTexts("viewer");
  useEffect(endFirstLook, []);
  const slices = series.instances.filter(({ thumbnailUrl }) => thumbnailUrl !== null);
  const pictures =
    slices.length > 0
      ? slices
      : series.thumbnailUrl
        ? [{ id: series.id, name: series.description ?? "", thumbnailUrl: series.thumbnailUrl }]
        : [];
  return (
    <div className={styles.page}>
      <Alert color="yellow" icon={<IconCubeOff aria-hidden />} title={t("viewer.no3d")}>
        {t("viewer.no3dHelp")}
      </Alert>
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 6 }} mt="md">
        {pictures.map(({ id, name, thumbnailUrl }) => (
          <Image key={id} src={thumbnailUrl} alt={name} loading="lazy" radius="sm" />
        ))}
      </SimpleGrid>
    </div>
  );
}
