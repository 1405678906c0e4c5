/** The accounts of the demonstration: seeded at the first start, printed there and offered on the sign-in page. */
export const demoAccounts = {
  password: "Arcada-demo-2026",
  accounts: [
    { account: "lin@clinic.example", name: "林晓 Lin Xiao", role: "clinicAdmin", house: "clinic" },
    { account: "chen@clinic.example", name: "陈默 Chen Mo", role: "clinicMember", house: "clinic" },
    { account: "su@clinic.example", name: "苏宁 Su Ning", role: "clinicAssistant", house: "clinic" },
    { account: "zhou@lab.example", name: "周宁 Zhou Ning", role: "factoryAdmin", house: "lab" },
    { account: "wu@lab.example", name: "吴桐 Wu Tong", role: "factoryMember", house: "lab" },
    { account: "hill@northlight.example", name: "Grace Hill", role: "factoryAdmin", house: "farLab" },
    { account: "service@arcada.example", name: "何安 He An", role: "afterSalesAdmin", house: null },
    { account: "serviceman@arcada.example", name: "齐修 Qi Xiu", role: "afterSalesMember", house: null },
    { account: "operator@arcada.example", name: "Operator", role: "operator", house: null },
  ],
} as const;
