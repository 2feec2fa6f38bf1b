//! The names by which tools are shown to models. A team's code knows a tool by one name; a model may be shown another that it
//! knows from other programs, and then every text that it reads must use that name.

/// The names of a team's tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolNames {
    /// Alias and name. The first alias of a tool is the one that is shown.
    pub aliases: Vec<(&'static str, &'static str)>,
    /// Tool, argument, and the name by which other programs know that argument. Models are not shown them.
    pub arguments: Vec<(&'static str, &'static str, &'static str)>,
    /// Whether models are shown the aliases instead of the names. Both are understood.
    pub are_shown: bool,
}

/// The marks that begin and end a tool's name in a template.
const OPEN: &str = "{tool:";
const CLOSE: char = '}';

impl ToolNames {
    /// The name by which models are shown this tool. A tool without an alias keeps its own.
    pub fn of<'a>(&self, tool: &'a str) -> &'a str
    where
        'static: 'a,
    {
        let alias = self.aliases.iter().find(|(_, name)| *name == tool);
        alias
            .filter(|_| self.are_shown)
            .map_or(tool, |(alias, _)| alias)
    }

    /// The tool's own name, whichever of its names this is.
    pub fn own<'a>(&self, called: &'a str) -> &'a str
    where
        'static: 'a,
    {
        let known = self.aliases.iter().find(|(alias, _)| *alias == called);
        known.map_or(called, |(_, name)| name)
    }

    /// The other names of a tool, the one that is shown first.
    pub fn others<'a>(&'a self, tool: &'a str) -> impl Iterator<Item = &'static str> + 'a {
        let of_tool = self.aliases.iter().filter(move |(_, name)| *name == tool);
        of_tool.map(|(alias, _)| *alias)
    }

    /// The name by which other programs know an argument of a tool; its own if they know it by that.
    pub fn argument<'a>(&self, tool: &str, own: &'a str) -> &'a str
    where
        'static: 'a,
    {
        let mut all = self.arguments.iter();
        let known = all.find(|(of, argument, _)| *of == tool && *argument == own);
        known.map_or(own, |(_, _, other)| other)
    }

    /// A template with each `{tool:NAME}` replaced by the name that is shown. Only for texts of the program: in a text that
    /// somebody else wrote these characters mean themselves.
    pub fn render(&self, template: &str) -> String {
        let mut pieces = template.split(OPEN);
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            match piece.split_once(CLOSE) {
                Some((tool, rest)) => {
                    text.push_str(self.of(tool));
                    text.push_str(rest);
                }
                None => {
                    text.push_str(OPEN);
                    text.push_str(piece);
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_speaks_the_names_that_are_shown() {
        let names = |are_shown| ToolNames {
            aliases: vec![("Task", "task"), ("Agent", "task"), ("Read", "read_file")],
            arguments: Vec::new(),
            are_shown,
        };
        let template =
            "For a task use {tool:task}, then {tool:read_file} or {tool:claim_task}. {tool:";
        assert_eq!(
            names(true).render(template),
            "For a task use Task, then Read or claim_task. {tool:"
        );
        assert_eq!(
            names(false).render(template),
            "For a task use task, then read_file or claim_task. {tool:"
        );
    }
}
