import { Anchor, Badge, Button, Group, Pagination, Select, Stack, Text } from "@mantine/core";
import { IconPackageExport } from "@tabler/icons-react";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { UpgradePackage } from "@arcada/contract/upgrade/upgrade.calls";
import { formatBytes, formatDay } from "../i18n/format.ts";
import { ScreenLink, useOpenScreen, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { PermissionGate } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { PublishPackage } from "./publish-package.tsx";
import { PackageStateBadge } from "./package-state-badge.tsx";
import classes from "./upgrade.module.css";

/** Signed packages by product and version: for download, and for the operator to publish. */
export function Page() {
  const t = useTexts("upgrade");
  const { publish } = useSearchParams();
  const setSearch = useSetSearchParams();
  return (
    <PageBody
      title={t("upgrade.title")}
      description={t("upgrade.says")}
      actions={
        <PermissionGate to={upgradeCalls.publish}>
          <Button leftSection={<IconPackageExport size={18} aria-hidden />} onClick={() => setSearch({ publish: "1" })}>
            {t("upgrade.publish")}
          </Button>
        </PermissionGate>
      }
    >
      <Section flush>
        <PackageResults />
      </Section>
      <PermissionGate to={upgradeCalls.publish}>
        {publish && <PublishPackage onClose={() => setSearch({ publish: undefined })} />}
      </PermissionGate>
    </PageBody>
  );
}

function PackageResults() {
  const t = useTexts("upgrade");
  const go = useOpenScreen();
  const { product, page = "1" } = useSearchParams();
  const setSearch = useSetSearchParams();
  const pageSize = pageSizes.default;
  const query = useCall(upgradeCalls.list, { ...(product && { product }), page, pageSize }, { keepPrevious: true });
  return (
    <QueryResult
      of={query}
      isEmpty={({ total, products }) => total === 0 && products.length === 0}
      empty={<EmptyState title={t("upgrade.empty")} text={t("upgrade.emptyText")} />}
    >
      {({ list, total, products }) => (
        <Stack gap="md">
          <Select
            className={classes.filter!}
            label={t("upgrade.product")}
            placeholder={t("common.all")}
            clearable
            clearButtonProps={{ "aria-label": t("common.clear") }}
            data={products}
            value={product ?? null}
            onChange={(chosen) => setSearch({ product: chosen ?? undefined, page: undefined })}
          />
          <DataTable
            label={t("upgrade.title")}
            columns={buildColumns(
              t,
              list.some(({ downloads }) => downloads !== null),
            )}
            rows={list}
            rowKey={({ id }) => id}
            onOpen={({ id }) => go("packageDetail", { id })}
          />
          {total > pageSize && (
            <Group justify="center" pb="md">
              <Pagination
                total={Math.ceil(total / pageSize)}
                value={Number(page)}
                onChange={(to) => setSearch({ page: String(to) })}
              />
            </Group>
          )}
        </Stack>
      )}
    </QueryResult>
  );
}

/** Clinics do not see the number of downloads by others. */
const buildColumns = (t: Translate, showsDownloads: boolean): Column<UpgradePackage>[] => [
  ...packageColumns(t),
  ...(showsDownloads ? [downloadsColumn(t)] : []),
];

const packageColumns = (t: Translate): Column<UpgradePackage>[] => [
  {
    key: "name",
    title: t("upgrade.name"),
    narrow: "head",
    opens: "link",
    show: ({ id, name, product, version }) => (
      <div>
        <Anchor component={ScreenLink} screen="packageDetail" search={{ id }} size="sm" fw={600}>
          <bdi>{name}</bdi>
        </Anchor>
        <Text size="sm" c="dimmed">
          {product} <span className="arcada-figures">{version}</span>
        </Text>
      </div>
    ),
  },
  {
    key: "state",
    title: t("upgrade.state"),
    show: ({ state, newest }) => (
      <Group gap={6}>
        <PackageStateBadge state={state} />
        {newest && (
          <Badge variant="outline" color="teal">
            {t("upgrade.newest")}
          </Badge>
        )}
      </Group>
    ),
  },
  { key: "size", title: t("upgrade.size"), align: "end", show: ({ size }) => formatBytes(size) },
  {
    key: "when",
    title: t("upgrade.publishedAt"),
    show: ({ publishedAt }) => <span className="arcada-figures">{formatDay(publishedAt)}</span>,
  },
];

const downloadsColumn = (t: Translate): Column<UpgradePackage> => ({
  key: "downloads",
  title: t("upgrade.downloads"),
  align: "end",
  show: ({ downloads }) => <span className="arcada-figures">{downloads ?? "–"}</span>,
});
