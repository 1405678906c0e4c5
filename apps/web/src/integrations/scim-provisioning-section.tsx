import { Select, Text } from "@mantine/core";
import { findRole, roles } from "@arcada/contract/kernel/roles";
import { rolesByType } from "@arcada/contract/member/member.lifecycle";
import { scimCalls } from "@arcada/contract/scim/scim.calls";
import type { ProvisionedGroup } from "@arcada/contract/scim/scim.calls";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { formatNumber } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCurrentUser } from "../session/current-user.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { Section } from "../ui/page.tsx";
import { QueryResult } from "../ui/query-result.tsx";

/** The groups that the identity provider sends by SCIM, each with the role that it gives. */
export function ProvisioningSection() {
  const t = useTexts("interface");
  const query = useCall(scimCalls.overview, {});
  return (
    <Section flush title={t("interface.provisioning.title")} description={t("interface.provisioning.says")}>
      <QueryResult of={query}>
        {({ users, groups }) => (
          <>
            {users.members + users.invited + users.others > 0 && (
              <Text size="sm" px="md" pb="sm">
                {t("interface.provisioning.counts", {
                  members: formatNumber(users.members),
                  invited: formatNumber(users.invited),
                  others: formatNumber(users.others),
                })}
              </Text>
            )}
            {groups.length === 0 ? (
              <EmptyState title={t("interface.provisioning.none")} text={t("interface.provisioning.noneText")} />
            ) : (
              <DataTable
                label={t("interface.provisioning.title")}
                columns={buildColumns(t)}
                rows={groups}
                rowKey={({ id }) => id}
              />
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

const buildColumns = (t: Translate): Column<ProvisionedGroup>[] => [
  { key: "group", title: t("interface.provisioning.group"), narrow: "head", show: ({ name }) => name },
  {
    key: "members",
    title: t("interface.provisioning.members"),
    show: ({ members }) => <span className="arcada-figures">{formatNumber(members)}</span>,
  },
  { key: "role", title: t("interface.provisioning.role"), show: (group) => <RoleSelect group={group} /> },
];

function RoleSelect({ group: { id, name, authorityId, version } }: { group: ProvisionedGroup }) {
  const t = useTexts("interface");
  const type = useCurrentUser()?.institution?.type ?? "clinic";
  const setRole = useCommand(scimCalls.setGroupRole);
  return (
    <Select
      aria-label={`${t("interface.provisioning.role")}: ${name}`}
      allowDeselect={false}
      disabled={setRole.busy}
      value={String(authorityId ?? noRole)}
      onChange={(value) =>
        void setRole.run({ id, version, authorityId: value === null || value === noRole ? null : Number(value) })
      }
      data={[
        { value: noRole, label: t("interface.provisioning.noRole") },
        ...rolesByType[type].map((role) => ({
          value: String(roles[role].authorityId),
          label: t(`common.role.${findRole(roles[role].authorityId)}`),
        })),
      ]}
    />
  );
}
const noRole = "none";
