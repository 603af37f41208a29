package dev.sequitur.persistence.serialization;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says what is wrong with an encoding without a word of its content. */
final class Faults {
  private Faults() {}

  static DecodingException decoding(Class<?> type, IOException fault) {
    var where = fault instanceof JsonMappingException mapping ? path(mapping) : "";
    return new DecodingException(
        "This is no valid %s: %s%s%s."
            .formatted(type.getSimpleName(), kind(fault), where, offset(fault)));
  }

  private static String kind(IOException fault) {
    if (fault instanceof InvalidTypeIdException) {
      return "an alternative of an unknown name";
    }
    if (fault instanceof ValueInstantiationException) {
      return "a value that breaks its rules";
    }
    if (fault instanceof StreamReadException || !(fault instanceof JsonProcessingException)) {
      return "malformed or cut off";
    }
    return "a value that is missing or of another kind";
  }

  /** Field names of records only: unknown fields are skipped, so that none of them gets here. */
  private static String path(JsonMappingException fault) {
    if (fault.getPath().isEmpty()) {
      return "";
    }
    return fault.getPath().stream()
        .map(step -> Optional.ofNullable(step.getFieldName()).orElse("[" + step.getIndex() + "]"))
        .collect(Collectors.joining(".", " at ", ""));
  }

  private static String offset(IOException fault) {
    if (!(fault instanceof JsonProcessingException processing)
        || processing.getLocation() == null) {
      return "";
    }
    var location = processing.getLocation();
    long offset = Math.max(location.getByteOffset(), location.getCharOffset());
    return offset < 0 ? "" : " (offset " + offset + ")";
  }
}
