package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers write is what contracts take, and what contracts say is what callers read. */
class ContractAbiTest {
  private static final ContractAbi COUNTER = ContractAbi.read(Counter.ABI.toString());
  private static final String WORD = "%064x";
  private static final Optional<String> ADD = Optional.of("add");

  private static JsonNode json(String text) {
    try {
      return JsonMapper.builder().build().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String word(long number) {
    return WORD.formatted(number);
  }

  private static String selector(String signature) {
    return Digests.keccak256(Bytes.utf8(signature)).toString().substring(0, 10);
  }

  /** By hand, from the specification of the ABI. */
  @Test
  void parametersAreEncodedByNameAndByPlace() {
    var expected =
        selector("add(uint256,(string,uint256[]))")
            + word(5)
            + word(0x40)
            + word(0x40)
            + word(0x80)
            + word(2)
            + "6f6b"
            + "0".repeat(60)
            + word(2)
            + word(7)
            + word(8);

    var byName = json("{'amount':'5','note':{'text':'ok','marks':[7,'0x8']}}");
    var byPlace = json("[5,['ok',['7',8]]]");

    assertThat(COUNTER.call(ADD, byName).toHex()).isEqualTo(expected);
    assertThat(COUNTER.call(ADD, byPlace).toHex()).isEqualTo(expected);
    assertThat(COUNTER.call(Optional.of("add(uint256, (string,uint256[]))"), byPlace).toHex())
        .isEqualTo(expected);
  }

  @Test
  void theConstructorsParametersGoBehindTheCode() {
    assertThat(COUNTER.construction(Bytes.hex("0x6001"), json("{'limit':10}")).toHex())
        .isEqualTo("0x6001" + word(10));
  }

  @Test
  void aNumberThatIsLongerThanAnyTypeHoldsIsRefusedAndNotShownWhole() {
    var given = json("['" + "9".repeat(100_000) + "',['ok',[]]]");

    assertThatThrownBy(() -> COUNTER.call(ADD, given))
        .hasMessage("data[0] must be of type uint256, not \"" + "9".repeat(99) + "….");
  }

  private static Bytes topic(String signature) {
    return Bytes.hex(Digests.keccak256(Bytes.utf8(signature)).toString());
  }

  private static ContractAbi of(String kind, String name, String input) {
    return ContractAbi.read(
        json("[{'type':'%s','name':'%s','inputs':[%s]}]".formatted(kind, name, input)).toString());
  }

  /** Some kilobytes that stand for gigabytes. */
  private static String allAtOnePlace(int values, int bytes) {
    return word(0x20)
        + word(values)
        + word(values * 32L).repeat(values)
        + word(bytes)
        + "61".repeat(bytes);
  }

  @Test
  void dataOfWhichManyValuesAreAtOnePlaceIsNotReadWhoeverMadeIt() {
    var input = "{'type':'bytes[]','name':'all'}";
    var data = allAtOnePlace(64, 4_096);
    var call = Bytes.hex(selector("f(bytes[])") + data);
    var event = List.of(topic("f(bytes[])"));
    var function = "[{'type':'function','name':'f','inputs':[],'outputs':[" + input + "]}]";

    assertThat(of("function", "f", input).readCall(call, ValueFormat.STANDARD)).isEmpty();
    assertThat(of("error", "f", input).readError(call, ValueFormat.STANDARD)).isEmpty();
    assertThat(of("event", "f", input).event(event, Bytes.hex("0x" + data))).isEmpty();
    assertThatThrownBy(
            () ->
                ContractAbi.read(json(function).toString())
                    .result(Optional.of("f"), Bytes.hex("0x" + data), ValueFormat.STANDARD))
        .hasMessage("The contract returned something else than (bytes[]).");
  }

  @Test
  void aTypeWithMoreElementsThanAnyDataIsThatOfNoData() {
    for (var type : List.of("uint256[2147483633]", "uint8[65536][65536]", "bool[0][2147483633]")) {
      var call = Bytes.hex(selector("f(" + type + ")") + word(0));
      var told = topic("f(" + type + ")");
      var indexed = "{'type':'" + type + "','name':'a','indexed':true}";

      assertThat(
              of("function", "f", "{'type':'" + type + "','name':'a'}")
                  .readCall(call, ValueFormat.STANDARD))
          .isEmpty();
      assertThat(of("event", "f", indexed).event(List.of(told, told), Bytes.EMPTY)).isEmpty();
    }
  }

  @Test
  void manyValuesThatAreEachAtTheirOwnPlaceAreRead() {
    var one = "{'type':'tuple[]','name':'a','components':[{'type':'%s','name':'b'}]}";
    var values =
        Map.of(
            "uint8", "7",
            "string", "''",
            "bytes", "'0x'",
            "bytes4[2]", "['0x01020304','0x05060708']",
            "uint256[]", "[]");
    for (var type : values.keySet()) {
      var abi = of("function", "f", one.formatted(type));
      var value = "[" + values.get(type) + "]";
      var all = "[[" + String.join(",", Collections.nCopies(3_000, value)) + "]]";

      var read = abi.readCall(abi.call(Optional.of("f"), json(all)), ValueFormat.STANDARD);

      assertThat(read).as(type).isPresent();
      assertThat(read.get().values().path("a")).hasSize(3_000);
    }
  }

  @Test
  void aWrongParameterIsRefusedWithItsPathAndType() {
    assertThatThrownBy(() -> COUNTER.call(ADD, json("{'amount':-1,'note':['ok',[]]}")))
        .hasMessage("data.amount must be of type uint256, not -1.");
    assertThatThrownBy(() -> COUNTER.call(ADD, json("[1,['ok',['x']]]")))
        .hasMessage("data[1][1][0] must be of type uint256, not \"x\".");
    assertThatThrownBy(() -> COUNTER.call(ADD, json("{'amount':1,'notes':['ok',[]]}")))
        .hasMessageStartingWith("data names 'notes', which is no parameter");
    assertThatThrownBy(() -> COUNTER.call(ADD, json("[1]")))
        .hasMessage("data has 1 parameters, not the 2 of (uint256,(string,uint256[])).");
    assertThatThrownBy(() -> COUNTER.call(Optional.of("adds"), json("[1]")))
        .hasMessageStartingWith("The ABI has no function 'adds': name one of ")
        .hasMessageContaining("add(uint256,(string,uint256[]))");
    assertThatThrownBy(() -> COUNTER.call(Optional.empty(), MissingNode.getInstance()))
        .hasMessageStartingWith("The ABI has several such functions");
    assertThatThrownBy(() -> ContractAbi.read("[{'type':'function'".replace('\'', '"')))
        .hasMessageStartingWith("The ABI is not what a compiler writes");
  }

  @Test
  void errorsOfTheContractAndOfSolidityAreToldInWords() {
    var tooMuch = Bytes.hex(selector("TooMuch(uint256,uint256)") + word(9) + word(4));
    var error = Bytes.hex("0x08c379a0" + word(0x20) + word(2) + "6e6f" + "0".repeat(60));
    var panic = Bytes.hex("0x4e487b71" + word(1));

    assertThat(COUNTER.error(tooMuch)).contains("TooMuch(asked 9, left 4).");
    assertThat(COUNTER.error(error)).contains("\"no\".");
    assertThat(COUNTER.error(panic)).contains("Panic 1: an assertion failed.");
    assertThat(ContractAbi.errorOfSolidity(tooMuch)).isEmpty();
    // What is cut off, or says something that nobody knows.
    assertThat(COUNTER.error(Bytes.hex("0x08c379a0" + word(0x20)))).isEmpty();
    assertThat(COUNTER.error(Bytes.hex("0x01"))).isEmpty();
  }

  @Test
  void anEventIsToldByName() {
    var topics =
        List.of(
            Bytes.hex(
                Digests.keccak256(Bytes.utf8("Counted(address,uint256,(string,uint256[]))"))
                    .toString()),
            Bytes.hex("0x" + "0".repeat(24) + "ab".repeat(20)));
    var data =
        Bytes.hex(
            "0x"
                + word(5)
                + word(0x40)
                + word(0x40)
                + word(0x80)
                + word(2)
                + "6f6b"
                + "0".repeat(60)
                + word(1)
                + word(7));

    var told = COUNTER.event(topics, data).orElseThrow();

    assertThat(told.signature()).isEqualTo("Counted(address,uint256,(string,uint256[]))");
    assertThat(told.definition())
        .isEqualTo("event Counted(address indexed by, uint256 value, Note note)");
    assertThat(told.values())
        .isEqualTo(
            json(
                "{'by':'0x%s','value':'5','note':{'text':'ok','marks':['7']}}"
                    .formatted("ab".repeat(20))));
    assertThat(COUNTER.event(List.of(topics.get(1)), data)).isEmpty();
  }

  private static final ContractAbi STOCK =
      ContractAbi.read(
          """
          [{"type":"function","name":"put","inputs":[
            {"name":"date","type":"uint64"},
            {"name":"stock","type":"tuple[]","components":[
              {"name":"item","type":"bytes2"},
              {"name":"difference","type":"int256"},
              {"name":"","type":"address"},
              {"name":"sold","type":"bool"}]}]}]
          """);

  /** Of the forms that clients of Paladin nodes can ask for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OBJECT|DECIMAL|HEX|HEX|{'date':'1729450200','stock':[{'item':'0xbb36','difference':'-256','2':'0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed','sold':true}]}",
        "OBJECT|HEX|HEX_PLAIN|CHECKSUM|{'date':'0x671550d8','stock':[{'item':'bb36','difference':'-0x100','2':'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed','sold':true}]}",
        "OBJECT|JSON_NUMBER|BASE64|HEX_PLAIN|{'date':1729450200,'stock':[{'item':'uzY=','difference':-256,'2':'5aaeb6053f3e94c9b9a09f33669435e7ef1beaed','sold':true}]}",
        "ARRAY|DECIMAL|HEX|HEX|['1729450200',[['0xbb36','-256','0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',true]]]",
        "SELF_DESCRIBING|JSON_NUMBER|HEX|HEX|[{'name':'date','type':'uint64','value':1729450200},{'name':'stock','type':'(bytes2,int256,address,bool)[]','value':[[{'name':'item','type':'bytes2','value':'0xbb36'},{'name':'difference','type':'int256','value':-256},{'name':'2','type':'address','value':'0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'},{'name':'sold','type':'bool','value':true}]]}]"
      })
  void valuesAreWrittenAsTheyAreWanted(
      ValueFormat.Structure structure,
      ValueFormat.Digits number,
      ValueFormat.Digits bytes,
      ValueFormat.Digits address,
      String written) {
    var call =
        STOCK.call(
            Optional.empty(),
            json(
                "{'date':1729450200,'stock':[['0xbb36','-256','0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',true]]}"));

    var meant =
        STOCK.readCall(call, new ValueFormat(structure, number, bytes, address)).orElseThrow();

    // As text: what is a large number to one reader is none to another.
    assertThat(meant.values().toString()).isEqualTo(written.replace('\'', '"'));
  }
}
