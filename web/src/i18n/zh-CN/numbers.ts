export const numbers = {
  trials_one: "{{count}} 次试验",
  trials_other: "{{count}} 次试验",
  ofTotal: "{{done}} / {{total}}",
  left: "约剩 {{time}}",
  interval: "95% 区间 {{low}} 至 {{high}}",
  points: "{{value}} 分",
  free: "免费",
  unknownCost: "费用未知",
  none: "–",
};
