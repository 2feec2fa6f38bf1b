//! Reads a shell command: which programs it runs, with which words, for permission rules.
//!
//! What is not certain is said to be so, and is then asked about: an error in the tree, a kind of node that is not known
//! here, text that no node accounts for, and whatever a shell treats otherwise than the grammar. It judges nothing.

use teammate_core::permission::{Script, Word};
use tree_sitter::{Node, Parser};

mod heredoc;
mod word;

use word::word;

/// Longer commands are not read.
const BYTES_MAX: usize = 64 << 10;

/// Reads a command that begins in the workspace at `root`.
pub(super) fn read(text: &str, root: &str) -> Script {
    // A here-document's end is only seen on a line that ends.
    parse(&format!("{text}\n"), root).unwrap_or_else(|why| Script::Unparsed { why })
}

fn parse(text: &str, root: &str) -> Result<Script, &'static str> {
    check(text)?;
    let mut parser = Parser::new();
    let tree = parser
        .set_language(&tree_sitter_bash::LANGUAGE.into())
        .ok()
        .and_then(|()| parser.parse(text, None))
        .ok_or("it could not be parsed")?;
    if tree.root_node().has_error() {
        return Err("it is not valid shell");
    }
    let mut reading = ScriptParser {
        text,
        root,
        commands: Vec::new(),
        files: Vec::new(),
        inputs: Vec::new(),
        texts: Vec::new(),
        doubt: None,
        has_document: false,
        seen: 0,
    };
    // By hand and not by recursion: a command may be nested deeper than our stack.
    let mut todo = vec![tree.root_node()];
    while let Some(node) = todo.pop() {
        reading.visit(node)?;
        let before = todo.len();
        todo.extend(children(node));
        todo[before..].reverse();
    }
    reading.gap(text.len())?;
    Ok(Script::Parsed {
        commands: reading.commands,
        files: reading.files,
        inputs: reading.inputs,
        texts: reading.texts,
        doubt: reading.doubt,
    })
}

/// Refuses texts that shells and the grammar are known to see differently.
fn check(text: &str) -> Result<(), &'static str> {
    if text.len() > BYTES_MAX {
        return Err("it is very long");
    }
    if text.contains("\\\n") {
        return Err("a line goes on in the next");
    }
    if text.chars().any(is_invisible) {
        return Err("it has characters in it that are not seen");
    }
    Ok(())
}

/// Control characters, blanks that are none to a shell, marks that join or turn what is shown.
fn is_invisible(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || (c.is_whitespace() && !c.is_ascii())
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

struct ScriptParser<'a> {
    text: &'a str,
    root: &'a str,
    commands: Vec<Vec<Word>>,
    files: Vec<Word>,
    inputs: Vec<Word>,
    texts: Vec<String>,
    doubt: Option<&'static str>,
    has_document: bool,
    /// Up to where the text is accounted for.
    seen: usize,
}

impl ScriptParser<'_> {
    /// Takes note of one node; those in it come later.
    fn visit(&mut self, node: Node<'_>) -> Result<(), &'static str> {
        // A here-document is text as a whole; `heredoc` sees to that.
        if node.child_count() == 0 || node.kind() == "heredoc_body" {
            self.gap(node.start_byte())?;
            self.seen = self.seen.max(node.end_byte());
        }
        if !node.is_named() {
            let is_case = node
                .parent()
                .is_some_and(|parent| parent.kind() == "case_item");
            return match node.kind() {
                ";;" | ";&" | ";;&" if !is_case => Err("it is not valid shell"),
                _ => Ok(()),
            };
        }
        match node.kind() {
            "command" => self.command(node),
            "file_redirect" => self.redirect(node),
            "heredoc_redirect" if self.has_document => Err("it has more than one here-document"),
            "heredoc_redirect" => {
                self.has_document = true;
                self.texts.push(heredoc::body(self.text, node)?.to_owned());
                Ok(())
            }
            "herestring_redirect" => {
                self.texts.push(self.here_string(node));
                Ok(())
            }
            "comment" => self.comment(node),
            "variable_assignment" => self.reject("it sets a variable"),
            "for_statement" | "c_style_for_statement" => {
                self.reject("it sets a variable in a loop")
            }
            "function_definition" => self.reject("it defines a function"),
            "declaration_command" | "unset_command" => self.reject("it changes variables"),
            "test_command" | "case_statement" => {
                self.reject("it has a condition that is not followed")
            }
            "compound_statement" if self.slice(node).starts_with("((") => {
                self.reject("it computes")
            }
            "program"
            | "pipeline"
            | "list"
            | "subshell"
            | "compound_statement"
            | "negated_command"
            | "if_statement"
            | "elif_clause"
            | "else_clause"
            | "while_statement"
            | "do_group"
            | "redirected_statement"
            | "command_substitution"
            | "process_substitution"
            | "command_name"
            | "variable_assignments"
            | "case_item"
            | "heredoc_start"
            | "heredoc_body"
            | "heredoc_content"
            | "heredoc_end"
            | "file_descriptor" => Ok(()),
            // Parts of words and of conditions: the node that holds them was read, or rejected.
            "word"
            | "number"
            | "string"
            | "string_content"
            | "raw_string"
            | "ansi_c_string"
            | "translated_string"
            | "concatenation"
            | "simple_expansion"
            | "expansion"
            | "arithmetic_expansion"
            | "brace_expression"
            | "subscript"
            | "array"
            | "variable_name"
            | "special_variable_name"
            | "extglob_pattern"
            | "regex"
            | "test_operator"
            | "binary_expression"
            | "unary_expression"
            | "postfix_expression"
            | "ternary_expression"
            | "parenthesized_expression" => Ok(()),
            _ => Err("it has something in it that is not known here"),
        }
    }

    fn command(&mut self, node: Node<'_>) -> Result<(), &'static str> {
        self.one_line(node)?;
        let mut words = Vec::new();
        for child in children(node) {
            match child.kind() {
                "variable_assignment" => self.reject("it sets a variable")?,
                "file_redirect" | "herestring_redirect" | "heredoc_redirect" | "comment" => {}
                "subshell" => return Err("it has something in it that is not known here"),
                "command_name" => words.push(children(child).next().map_or_else(
                    || Word::Unknown(self.slice(child).to_owned()),
                    |name| word(self.text, name),
                )),
                _ => words.push(word(self.text, child)),
            }
        }
        if let Some(Word::Known(program)) = words.first()
            && RESERVED.contains(&program.as_str())
        {
            return Err("a word of the shell's own stands where a command should");
        }
        if words.len() == 2 && words[0].known() == Some("cd") && words[1].known() == Some(self.root)
        {
            words[1] = Word::Known(".".to_owned());
        }
        self.commands.push(words);
        Ok(())
    }

    /// A file, unless it is the copy of a descriptor. The grammar takes words that follow as more of its targets; for a
    /// shell they are words of the command.
    fn redirect(&mut self, node: Node<'_>) -> Result<(), &'static str> {
        self.one_line(node)?;
        let mut targets =
            children(node).filter(|child| child.is_named() && child.kind() != "file_descriptor");
        let (target, more) = (targets.next(), targets.next());
        if more.is_some() {
            return Err("it has words behind a redirection");
        }
        let Some(target) = target else {
            return Ok(());
        };
        let to = word(self.text, target);
        let copies = children(node).any(|child| matches!(child.kind(), ">&" | "<&"));
        let is_descriptor =
            |text: &str| text == "-" || text.bytes().all(|byte| byte.is_ascii_digit());
        if !(copies && to.known().is_some_and(is_descriptor)) {
            if children(node).any(|child| child.kind() == "<") {
                self.inputs.push(to.clone());
            }
            self.files.push(to);
        }
        Ok(())
    }

    /// The words of a command stand on one line. Behind some pipelines the grammar takes the next line's command for more
    /// words of the last one.
    fn one_line(&self, node: Node<'_>) -> Result<(), &'static str> {
        let mut end = node.start_byte();
        for child in children(node) {
            let gap = self.text.get(end..child.start_byte()).unwrap_or_default();
            if gap.contains('\n') {
                return Err("its lines could not be told apart");
            }
            end = child.end_byte();
        }
        Ok(())
    }

    fn here_string(&self, node: Node<'_>) -> String {
        let text = children(node).filter(Node::is_named).last();
        match text.map(|text| word(self.text, text)) {
            Some(Word::Known(text) | Word::Unknown(text)) => text,
            None => String::new(),
        }
    }

    /// A comment begins where a word could.
    fn comment(&self, node: Node<'_>) -> Result<(), &'static str> {
        match self.text[..node.start_byte()].chars().next_back() {
            None | Some(' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')') => Ok(()),
            Some(_) => Err("it has something in it that may be a comment"),
        }
    }

    fn reject(&mut self, why: &'static str) -> Result<(), &'static str> {
        self.doubt = self.doubt.or(Some(why));
        Ok(())
    }

    /// Nothing but blanks may lie between what the tree accounts for.
    fn gap(&self, until: usize) -> Result<(), &'static str> {
        let gap = self.text.get(self.seen..until).unwrap_or_default();
        if gap.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n')) {
            Ok(())
        } else {
            Err("a part of it could not be parsed")
        }
    }

    fn slice(&self, node: Node<'_>) -> &str {
        &self.text[node.byte_range()]
    }
}

/// Words that never name a program, so a tree in which one does is wrong.
const RESERVED: [&str; 20] = [
    "!", "{", "}", "[[", "]]", "if", "then", "elif", "else", "fi", "for", "while", "until", "do",
    "done", "case", "esac", "in", "function", "select",
];

fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    std::iter::from_fn(move || {
        let child = more.then(|| cursor.node());
        more = more && cursor.goto_next_sibling();
        child
    })
}
