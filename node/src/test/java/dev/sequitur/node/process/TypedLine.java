package dev.sequitur.node.process;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A line that a page tells people to type, taken apart as a shell does it: words, single quotes,
 * {@code $NAME}, {@code $(a command)}, and a comment at the end.
 *
 * @param names what a name stands for
 * @param commands what a command prints
 */
public record TypedLine(UnaryOperator<String> names, UnaryOperator<String> commands) {
  private static final String END = " \n";

  public List<String> words(String line) {
    var words = new ArrayList<String>();
    var word = new StringBuilder();
    boolean begun = false;
    for (int i = 0; i < line.length(); ) {
      char next = line.charAt(i);
      if (END.indexOf(next) >= 0) {
        if (begun) {
          words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
        i++;
        continue;
      } else if (next == '#' && !begun) {
        return words;
      }
      begun = true;
      if (next == '\'') {
        int end = line.indexOf('\'', i + 1);
        word.append(line, i + 1, end);
        i = end + 1;
      } else if (line.startsWith("$(", i)) {
        int end = line.indexOf(')', i);
        word.append(commands.apply(line.substring(i + 2, end)));
        i = end + 1;
      } else if (next == '$') {
        int end = i + 1;
        while (end < line.length() && Character.isLetter(line.charAt(end))) {
          end++;
        }
        word.append(names.apply(line.substring(i + 1, end)));
        i = end;
      } else {
        word.append(next);
        i++;
      }
    }
    if (begun) {
      words.add(word.toString());
    }
    return words;
  }
}
