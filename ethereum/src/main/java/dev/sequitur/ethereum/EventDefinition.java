package dev.sequitur.ethereum;

import com.esaulpaugh.headlong.abi.Event;
import com.esaulpaugh.headlong.abi.TupleType;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An event as Solidity declares it: {@code event Stored(address indexed by, uint256 value)}. */
final class EventDefinition {
  private static final Pattern STRUCT = Pattern.compile("struct (?:[^.]+[.])?([^.]+)");

  private EventDefinition() {}

  static String of(Event<?> event) {
    var indexed = event.getIndexManifest();
    var inputs = event.getInputs();
    return IntStream.range(0, inputs.size())
        .mapToObj(i -> parameter(inputs, i, indexed[i]))
        .collect(Collectors.joining(", ", "event " + event.getName() + "(", ")"));
  }

  private static String parameter(TupleType<?> inputs, int at, boolean indexed) {
    var name = inputs.getElementName(at);
    return type(inputs, at)
        + (indexed ? " indexed" : "")
        + (name == null || name.isEmpty() ? "" : " " + name);
  }

  /** A struct by its name, if the compiler has written that beside its components. */
  private static String type(TupleType<?> inputs, int at) {
    var written = inputs.getElementInternalType(at);
    var struct = STRUCT.matcher(written == null ? "" : written);
    return struct.matches() ? struct.group(1) : inputs.get(at).getCanonicalType();
  }
}
