"""How the page of a session looks, beyond what all pages share. Colours of phases, categories and
contexts are those of the session log format."""

from whet.exporters.html.style import DARK, LIGHT
from whet.exporters.html.style import STYLE as BASE

PHASES = {
    "understand": "#8b5cf6",
    "explore": "#3b82f6",
    "plan": "#22c55e",
    "execute": "#f97316",
    "verify": "#ec4899",
    "mixed": "#6b7280",
    "unclassified": "#4b5563",
}
CATEGORIES = {
    "perception": "#3b82f6",
    "action": "#f97316",
    "interaction": "#a855f7",
    "planning": "#22c55e",
    "task_management": "#6b7280",
    "failed": "#ef4444",
}
CONTEXTS = {
    "claude_md": "#d4a017",
    "rule": "#3b82f6",
    "standard": "#22c55e",
    "skill": "#f97316",
    "spec": "#a855f7",
    "file": "#8b949e",
    "user_message": "#58a6ff",
    "tool_result": "#6b7280",
    "capability": "#06b6d4",
}


def _coloured(letter: str, colours: dict[str, str]) -> str:
    return "\n".join(f".{letter}-{name}{{--c:{colour}}}" for name, colour in colours.items())


_THEMES = f"""
:root[data-theme=light]{{color-scheme:light;{LIGHT}}}
:root[data-theme=dark]{{color-scheme:dark;{DARK}}}
@media print{{:root,:root[data-theme]{{color-scheme:light;{LIGHT};--ground:#fff}}}}
{_coloured("p", PHASES)}
{_coloured("c", CATEGORIES)}
{_coloured("x", CONTEXTS)}
"""
_REST = """
main{max-width:86rem;padding:2.25rem 1.75rem 7rem}
h2{margin:0 0 .9rem;font-size:1.02rem}
button,select,input{font:inherit;color:inherit}
button{cursor:pointer;background:none;border:1px solid var(--rule);border-radius:9px;
padding:.3rem .8rem}
button:hover{border-color:var(--soft)}
button[aria-pressed=true]{background:var(--ink);color:var(--card);border-color:var(--ink)}
:is(button,select,input,pre,.prose,#list):focus-visible{outline:2px solid var(--accent);
outline-offset:2px}
.top{display:grid;grid-template-columns:1fr auto;gap:.35rem 2rem;align-items:start;
margin:0 0 1.5rem}
.top h1{margin:0;font-size:1.75rem;letter-spacing:-.012em}
.switches{display:flex;gap:.4rem;flex-wrap:wrap;justify-content:flex-end;font-size:.86rem}
.chips{grid-column:1/-1;margin:.5rem 0 0;display:flex;flex-wrap:wrap;gap:.4rem;
align-items:center}
.chip{border-radius:99px;padding:.12rem .7rem;margin:0;font-size:.84rem;background:var(--card);
display:inline-flex;align-items:center;gap:.4rem}
.chip.s-success{color:var(--good);background:var(--good-soft);border-color:transparent}
.chip.s-failed{color:var(--bad);background:var(--bad-soft);border-color:transparent}
.chip.s-in_progress,.chip.s-simulated{color:var(--mild);background:var(--mild-soft);
border-color:transparent}
.id{color:var(--soft);font-size:.84rem;margin-left:.35rem;overflow-wrap:anywhere;
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.4rem,1fr));gap:.75rem;
margin:0 0 1.25rem}
.numbers>div{background:var(--card);border:1px solid var(--rule);border-radius:14px;
padding:.8rem 1.05rem .9rem}
.numbers dt{color:var(--soft);font-size:.82rem}
.numbers dd{margin:.15rem 0 0}
.numbers .big{display:block;font-size:1.08rem;font-weight:600;line-height:1.3;
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.numbers .more{color:var(--soft);font-size:.84rem}
.prose{white-space:pre-wrap;overflow-wrap:anywhere;max-width:62rem;max-height:22rem;
overflow:auto}
.card.bad{border-color:var(--bad)}.card.bad h2{color:var(--bad)}
.dot{display:inline-block;width:.62rem;height:.62rem;border-radius:50%;background:var(--c);
margin-right:.5rem;flex:none}
.chip .dot{margin:0}
#timeline{display:block;overflow:visible;cursor:pointer;margin:.25rem 0 .35rem}
#timeline text{font-size:12px}
#timeline .bandname{fill:var(--ink);font-size:12.5px;font-weight:600;display:none}
@media(min-width:480px){#timeline .r480{display:inline}}
@media(min-width:700px){#timeline .r700{display:inline}}
@media(min-width:900px){#timeline .r900{display:inline}}
@media(min-width:1100px){#timeline .r1100{display:inline}}
@media(min-width:1300px){#timeline .r1300{display:inline}}
#timeline .clip{overflow:hidden}#timeline .pause{overflow:visible}
.band{fill:var(--c);opacity:.2}.clip:hover .band{opacity:.34}.edge{fill:var(--c)}
.lane{fill:var(--ground)}.call[class*=c-]:is(rect){fill:var(--c)}
.broken{stroke:var(--soft);stroke-width:1.5}
.playhead{stroke:var(--ink);stroke-width:2;opacity:0}.playhead.on{opacity:.85}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.4rem;color:var(--soft);font-size:.86rem;
margin:.6rem 0 0}
.legend span{display:inline-flex;align-items:center}
.card>details{border:0!important;margin:.6rem 0 0}
.bands tbody th{white-space:nowrap;font-size:.9rem;vertical-align:top}
.bands td{font-size:.9rem;min-width:0;white-space:nowrap}.bands thead th{white-space:nowrap}
.bands td:last-child{min-width:14rem;white-space:normal}
.noted+.noted{margin-top:1.4rem}.noted h3{margin:0 0 .3rem;display:flex;align-items:center}
.why{color:var(--soft)}.bare .dot{margin-right:.6rem}
.explorer{padding:0;overflow:hidden}
.filters{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;padding:1.1rem 1.4rem;
border-bottom:1px solid var(--rule)}
.filters h2{margin:0 .6rem 0 0}
.filters input[type=search]{flex:1 1 13rem;min-width:9rem}
.filters :is(input[type=search],select),.player select{background:var(--ground);
border:1px solid var(--rule);border-radius:9px;padding:.38rem .75rem;max-width:14rem}
.filters label{display:inline-flex;gap:.4rem;align-items:center;font-size:.88rem;
color:var(--soft)}
#count{color:var(--soft);font-size:.88rem;margin-left:auto;font-variant-numeric:tabular-nums}
.panes{display:grid;grid-template-columns:minmax(0,11fr) minmax(0,9fr);
height:min(46rem,78vh,max(30rem,var(--tall,46rem)))}
#list{overflow:auto;position:relative;border-right:1px solid var(--rule)}
#rows{position:relative}
#empty{padding:0 1.4rem;color:var(--soft);margin:1.2rem 0}#empty:empty{display:none}
.row{position:absolute;left:0;right:0;height:44px;display:flex;align-items:center;gap:.75rem;
padding:0 1.1rem 0 0;white-space:nowrap;overflow:hidden}
.row.call{cursor:pointer;border-bottom:1px solid color-mix(in srgb,var(--rule) 55%,transparent)}
.row.call:hover{background:color-mix(in srgb,var(--accent) 7%,transparent)}
.row[aria-selected=true]{background:color-mix(in srgb,var(--accent) 15%,transparent)}
.row.group{padding-left:1.1rem;background:var(--ground);gap:0;font-size:.9rem}
.row.group .text{color:var(--soft);margin-left:.7rem;flex:1}
.row .count{color:var(--soft);font-variant-numeric:tabular-nums}
.row.later{opacity:.38}
.row .bar{width:4px;min-width:4px;height:100%;border-radius:0;margin:0;background:var(--c)}
.row .n{width:2.9rem;text-align:right;color:var(--soft);font-size:.82rem;flex:none;
font-variant-numeric:tabular-nums}
.row .tool{font-weight:600;width:7.2rem;flex:none}
.row :is(.tool,.text,.outcome){overflow:hidden;text-overflow:ellipsis}
.row.call .text{flex:3 1 0;min-width:5rem;font-size:.88rem}
.row .outcome{flex:1.2 1 0;min-width:0;color:var(--soft);font-size:.84rem}
.row .took{color:var(--soft);font-size:.84rem;width:4.9rem;text-align:right;flex:none;
font-variant-numeric:tabular-nums}
.row .ended{color:var(--good);width:1rem;flex:none;text-align:center;font-size:.84rem}
.is-failed .ended,.is-failed .outcome{color:var(--bad)}
#detail{overflow:auto;padding:1.35rem 1.6rem 1.6rem}
#detail h3{margin:.1rem 0 .5rem;font-size:1.25rem;overflow-wrap:anywhere}
#detail .chips{margin:.2rem 0 .4rem}
#detail h4{margin:1.15rem 0 .35rem;font-size:.8rem;letter-spacing:.02em}
#detail p{overflow-wrap:anywhere}
#detail pre{max-height:24rem}
code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono CJK SC",monospace;
background:var(--ground);border:1px solid var(--rule);border-radius:6px;padding:.08rem .4rem;
overflow-wrap:anywhere}
pre.failure{border-color:var(--bad);background:var(--bad-soft)}
.removed{background:var(--bad-soft)!important}.added{background:var(--good-soft)!important}
.params{display:grid;grid-template-columns:minmax(4rem,max-content) minmax(0,1fr);
gap:.4rem .9rem;margin:0}
.params dt{color:var(--soft);font-size:.86rem;padding-top:.1rem;max-width:10rem;
overflow-wrap:anywhere}
.params dd{margin:0;min-width:0}.params pre{margin:0}
.name{color:var(--soft);font-size:.86rem;margin-right:.6rem}
.link{border:0;padding:0;color:var(--accent);text-decoration:underline;
text-underline-offset:.15em}
.subagent .chip{margin:.15rem 0 .15rem .4rem}
.nested details{border:1px solid var(--rule)!important;border-radius:9px;margin:.35rem 0}
.nested summary{display:flex;gap:.6rem;align-items:center;padding:.4rem .7rem;font-size:.9rem;
white-space:nowrap;overflow:hidden;color:var(--ink)!important}
.nested summary .text{overflow:hidden;text-overflow:ellipsis;flex:1;color:var(--soft)}
.nested summary .took{font-weight:400;color:var(--soft)}
.nested summary::before{content:"▸";color:var(--soft);font-size:.8rem}
.nested details[open]>summary::before{content:"▾"}
.nested summary .dot{margin:0}.nested .body{padding:0 .9rem .8rem}
.nested .is-failed>summary b{color:var(--bad)}
button.more{margin:.4rem 0}
.said{border-left:3px solid var(--rule);padding:.1rem 0 .1rem 1rem;margin:0 0 1.1rem}
.said.by-user{border-color:var(--accent)}.said .kicker{margin:0}
.player{position:fixed;left:50%;bottom:1rem;transform:translateX(-50%);z-index:2;
display:flex;align-items:center;gap:.6rem;width:min(54rem,calc(100% - 2rem));
background:var(--card);border:1px solid var(--rule);border-radius:99px;padding:.5rem 1.1rem;
box-shadow:0 8px 30px rgb(0 0 0/.14)}
.player button{border-radius:50%;width:2.3rem;height:2.3rem;padding:0;flex:none;font-size:.8rem}
#play{background:var(--ink);color:var(--card);border-color:var(--ink)}
#scrub{flex:1;min-width:4rem;accent-color:var(--accent)}
#where{color:var(--soft);font-size:.86rem;font-variant-numeric:tabular-nums;white-space:nowrap}
.player select{padding:.2rem .5rem;font-size:.88rem}
footer{margin-top:1.75rem}footer .note{max-width:62rem}
@media(max-width:68rem){.panes{grid-template-columns:1fr;height:auto}
#list{height:min(26rem,max(9rem,var(--tall,26rem)));border-right:0;
border-bottom:1px solid var(--rule)}
#detail{max-height:none}.row .outcome{display:none}}
@media(max-width:44rem){main{padding:1.25rem .9rem 6.5rem}.top{grid-template-columns:1fr}
.switches{justify-content:flex-start;order:3}.row .tool{width:5.2rem}.row .n{width:2rem}
.row .took{width:4.2rem}.params{grid-template-columns:1fr;gap:.1rem}#where{display:none}
.filters{padding:1rem}#detail{padding:1rem}}
@media(prefers-reduced-motion:no-preference){.row{transition:opacity .25s}}
@media print{.player,.switches,.filters>:not(h2),button.more{display:none!important}
.panes{display:block;height:auto}#list{height:auto;overflow:visible;border:0}
#rows{height:auto!important}.row{position:static;break-inside:avoid;height:30px}
.prose,#detail pre{max-height:none;overflow:visible}main{max-width:none}
#detail{display:none}.card{break-inside:auto}.numbers>div{break-inside:avoid}
.bands td:last-child{min-width:0}.bands :is(th,td){padding:.3rem .4rem}}
"""
STYLE = BASE + _THEMES + _REST
