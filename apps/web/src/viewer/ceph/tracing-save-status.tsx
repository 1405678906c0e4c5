import { Button } from "@mantine/core";
import { useSetSearchParams } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import styles from "./ceph.module.css";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  tracing: Tracing;
  isEarlier: boolean;
  mayRestoreVersion: boolean;
  onStale: () => void;
}

/** Shows whether the tracing is saved, and offers a remedy if it is not. */
export function TracingStatus({ tracing, isEarlier, mayRestoreVersion, onStale }: Props) {
  const t = useTexts("ceph");
  const setSearch = useSetSearchParams();
  const { version, isChanged, isDraftRestored, isStale, maySave, isSaving, save } = tracing;
  if (isEarlier)
    return (
      <div className={styles.state} role="status">
        {t("ceph.state.old", { version })}
        <Button size="compact-xs" variant="light" onClick={() => setSearch({ version: undefined })}>
          {t("ceph.versions.now")}
        </Button>
        {mayRestoreVersion && (
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => {
              tracing.restoreVersion();
              setSearch({ version: undefined });
            }}
          >
            {t("ceph.versions.bringBack")}
          </Button>
        )}
      </div>
    );
  if (!maySave) return <div className={styles.state}>{t("ceph.state.readOnly")}</div>;
  return (
    <div className={styles.state} role="status">
      <span>
        {isStale
          ? t("ceph.state.newer")
          : isChanged
            ? t(isDraftRestored ? "ceph.state.draft" : "ceph.state.changed")
            : version === 0
              ? t("ceph.state.none")
              : t("ceph.state.saved", { version })}
      </span>
      {isStale && (
        <Button size="compact-xs" variant="light" onClick={onStale}>
          {t("ceph.state.takeNewer")}
        </Button>
      )}
      {isChanged && !isStale && (
        <Button size="compact-xs" loading={isSaving} onClick={() => void save()}>
          {t("ceph.tool.save")}
        </Button>
      )}
    </div>
  );
}
