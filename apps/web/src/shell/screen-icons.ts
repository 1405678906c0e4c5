import {
  IconActivityHeartbeat,
  IconBuildingCommunity,
  IconChartBar,
  IconFileSearch,
  IconLayoutDashboard,
  IconUserCog,
  IconBuilding,
  IconClipboardList,
  IconClipboardPlus,
  IconHeadset,
  IconIcons,
  IconInbox,
  IconMap2,
  IconMessageReport,
  IconPackages,
  IconShare3,
  IconReport,
  IconTool,
  IconTicket,
  IconTopologyStar3,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { ScreenName } from "@arcada/contract/screens";

export type Icon = ComponentType<{ size?: number; stroke?: number }>;

const icons: Partial<Record<ScreenName | "afterSales", Icon>> = {
  patientList: IconUsers,
  inbox: IconInbox,
  orderList: IconClipboardList,
  sendPage: IconClipboardPlus,
  shareList: IconShare3,
  dashboard: IconChartBar,
  operator: IconLayoutDashboard,
  organisations: IconBuildingCommunity,
  serviceStaff: IconUserCog,
  systemHealth: IconActivityHeartbeat,
  auditSearch: IconFileSearch,
  relationWeb: IconTopologyStar3,
  member: IconUsersGroup,
  institution: IconBuilding,
  profile: IconUserCircle,
  feedbackList: IconMessageReport,
  myWorkOrder: IconTool,
  myReport: IconReport,
  upgradePackages: IconPackages,
  cards: IconTicket,
  iconList: IconIcons,
  afterSales: IconHeadset,
  serviceMap: IconMap2,
};

export const screenIcon = (name: ScreenName): Icon => icons[name] ?? IconClipboardList;
