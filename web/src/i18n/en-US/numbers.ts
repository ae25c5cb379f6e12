export const numbers = {
  trials_one: "{{count}} trial",
  trials_other: "{{count}} trials",
  ofTotal: "{{done}} of {{total}}",
  left: "about {{time}} left",
  interval: "95 % interval {{low}} to {{high}}",
  points: "{{value}} points",
  free: "free",
  unknownCost: "cost unknown",
  none: "–",
} as const;
