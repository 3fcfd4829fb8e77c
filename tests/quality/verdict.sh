# verdict STATUS WHAT LOG: counts it, and shows the end of the log where it failed. For scripts that include this.
# The status comes first: $? is that of the last command only until the words behind it run one of their own.
passed=0 failed=0
verdict() {
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $2"
    else
        failed=$((failed + 1))
        echo "FAIL  $2"
        tail -n 40 "$3" | cut -c 1-200
    fi
}
